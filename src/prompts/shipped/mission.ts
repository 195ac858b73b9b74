/** Roles of the mission flow. */
import architect from '../roles/mission-architect.md';
import crosscheck from '../roles/mission-crosscheck.md';
import curator from '../roles/mission-curator.md';
import debuggerRole from '../roles/mission-debugger.md';
import documenter from '../roles/mission-documenter.md';
import orchestrator from '../roles/mission-orchestrator.md';
import planReviewer from '../roles/mission-plan-reviewer.md';
import planner from '../roles/mission-planner.md';
import uiQa from '../roles/mission-ui-qa.md';
import validator from '../roles/mission-validator.md';
import worker from '../roles/mission-worker.md';

export const MISSION_ROLES: Readonly<Record<string, string>> = {
  'mission/planner': planner,
  'mission/plan-reviewer': planReviewer,
  'mission/orchestrator': orchestrator,
  'mission/worker': worker,
  'mission/validator': validator,
  'mission/crosscheck': crosscheck,
  'mission/ui-qa': uiQa,
  'mission/architect': architect,
  'mission/debugger': debuggerRole,
  'mission/documenter': documenter,
  'mission/curator': curator,
};
