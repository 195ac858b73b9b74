/** Roles of the workflow flow. */
import architect from '../roles/workflow-architect.md';
import autoFixProposer from '../roles/workflow-auto-fix-proposer.md';
import codeQualityAdvisor from '../roles/workflow-code-quality-advisor.md';
import combinedAdvisor from '../roles/workflow-combined-advisor.md';
import conventionScanner from '../roles/workflow-convention-scanner.md';
import crossCritique from '../roles/workflow-cross-critique.md';
import evaluator from '../roles/workflow-evaluator.md';
import generatorSingle from '../roles/workflow-generator-single.md';
import implementation from '../roles/workflow-implementation.md';
import implementationStandard from '../roles/workflow-implementation-standard.md';
import leadDeveloper from '../roles/workflow-lead-developer.md';
import plannerSingle from '../roles/workflow-planner-single.md';
import qaSpecialist from '../roles/workflow-qa-specialist.md';
import seniorDeveloper from '../roles/workflow-senior-developer.md';
import synthesis from '../roles/workflow-synthesis.md';
import synthesisStandard from '../roles/workflow-synthesis-standard.md';
import testStabilityAdvisor from '../roles/workflow-test-stability-advisor.md';
import verifier from '../roles/workflow-verifier.md';

export const WORKFLOW_ROLES: Readonly<Record<string, string>> = {
  'workflow/architect': architect,
  'workflow/auto-fix-proposer': autoFixProposer,
  'workflow/code-quality-advisor': codeQualityAdvisor,
  'workflow/combined-advisor': combinedAdvisor,
  'workflow/convention-scanner': conventionScanner,
  'workflow/cross-critique': crossCritique,
  'workflow/evaluator': evaluator,
  'workflow/generator-single': generatorSingle,
  'workflow/implementation': implementation,
  'workflow/implementation-standard': implementationStandard,
  'workflow/lead-developer': leadDeveloper,
  'workflow/planner-single': plannerSingle,
  'workflow/qa-specialist': qaSpecialist,
  'workflow/senior-developer': seniorDeveloper,
  'workflow/synthesis': synthesis,
  'workflow/synthesis-standard': synthesisStandard,
  'workflow/test-stability-advisor': testStabilityAdvisor,
  'workflow/verifier': verifier,
};
