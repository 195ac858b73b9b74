/** Roles of the spec flow. */
import critic from '../roles/spec-critic.md';
import discoveryAnalyst from '../roles/spec-discovery-analyst.md';
import requirementsAnalyst from '../roles/spec-requirements-analyst.md';
import riskAuditor from '../roles/spec-risk-auditor.md';
import synthesis from '../roles/spec-synthesis.md';
import techConstraintAnalyst from '../roles/spec-tech-constraint-analyst.md';
import userScenarioAnalyst from '../roles/spec-user-scenario-analyst.md';

export const SPEC_ROLES: Readonly<Record<string, string>> = {
  'spec/discovery-analyst': discoveryAnalyst,
  'spec/requirements-analyst': requirementsAnalyst,
  'spec/user-scenario-analyst': userScenarioAnalyst,
  'spec/risk-auditor': riskAuditor,
  'spec/tech-constraint-analyst': techConstraintAnalyst,
  'spec/synthesis': synthesis,
  'spec/critic': critic,
};
