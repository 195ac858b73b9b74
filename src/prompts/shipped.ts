/** The texts of the roles that ship. */
import projectInitializer from './roles/project-initializer.md';
import projectCoding from './roles/project-coding.md';
import projectContinuation from './roles/project-continuation.md';
import projectCleanup from './roles/project-cleanup.md';
import projectExaminer from './roles/project-examiner.md';
import projectEntailment from './roles/project-entailment.md';
import projectSplitter from './roles/project-splitter.md';
import workflowArchitect from './roles/workflow-architect.md';
import workflowAutoFixProposer from './roles/workflow-auto-fix-proposer.md';
import workflowCodeQualityAdvisor from './roles/workflow-code-quality-advisor.md';
import workflowCombinedAdvisor from './roles/workflow-combined-advisor.md';
import workflowConventionScanner from './roles/workflow-convention-scanner.md';
import workflowCrossCritique from './roles/workflow-cross-critique.md';
import workflowEvaluator from './roles/workflow-evaluator.md';
import workflowGeneratorSingle from './roles/workflow-generator-single.md';
import workflowImplementation from './roles/workflow-implementation.md';
import workflowImplementationStandard from './roles/workflow-implementation-standard.md';
import workflowLeadDeveloper from './roles/workflow-lead-developer.md';
import workflowPlannerSingle from './roles/workflow-planner-single.md';
import workflowQaSpecialist from './roles/workflow-qa-specialist.md';
import workflowSeniorDeveloper from './roles/workflow-senior-developer.md';
import workflowSynthesis from './roles/workflow-synthesis.md';
import workflowSynthesisStandard from './roles/workflow-synthesis-standard.md';
import workflowTestStabilityAdvisor from './roles/workflow-test-stability-advisor.md';
import workflowVerifier from './roles/workflow-verifier.md';
import specDiscoveryAnalyst from './roles/spec-discovery-analyst.md';
import specRequirementsAnalyst from './roles/spec-requirements-analyst.md';
import specUserScenarioAnalyst from './roles/spec-user-scenario-analyst.md';
import specRiskAuditor from './roles/spec-risk-auditor.md';
import specTechConstraintAnalyst from './roles/spec-tech-constraint-analyst.md';
import specSynthesis from './roles/spec-synthesis.md';
import specCritic from './roles/spec-critic.md';
import workerWorker from './roles/worker-worker.md';
import missionPlanner from './roles/mission-planner.md';
import missionPlanReviewer from './roles/mission-plan-reviewer.md';
import missionOrchestrator from './roles/mission-orchestrator.md';
import missionWorker from './roles/mission-worker.md';
import missionValidator from './roles/mission-validator.md';
import missionCrosscheck from './roles/mission-crosscheck.md';
import missionUiQa from './roles/mission-ui-qa.md';
import missionArchitect from './roles/mission-architect.md';
import missionDebugger from './roles/mission-debugger.md';
import missionDocumenter from './roles/mission-documenter.md';
import missionCurator from './roles/mission-curator.md';

export const SHIPPED_ROLES: Readonly<Record<string, string>> = {
  'project/initializer': projectInitializer,
  'project/coding': projectCoding,
  'project/continuation': projectContinuation,
  'project/cleanup': projectCleanup,
  'project/examiner': projectExaminer,
  'project/entailment': projectEntailment,
  'project/splitter': projectSplitter,
  'workflow/architect': workflowArchitect,
  'workflow/auto-fix-proposer': workflowAutoFixProposer,
  'workflow/code-quality-advisor': workflowCodeQualityAdvisor,
  'workflow/combined-advisor': workflowCombinedAdvisor,
  'workflow/convention-scanner': workflowConventionScanner,
  'workflow/cross-critique': workflowCrossCritique,
  'workflow/evaluator': workflowEvaluator,
  'workflow/generator-single': workflowGeneratorSingle,
  'workflow/implementation': workflowImplementation,
  'workflow/implementation-standard': workflowImplementationStandard,
  'workflow/lead-developer': workflowLeadDeveloper,
  'workflow/planner-single': workflowPlannerSingle,
  'workflow/qa-specialist': workflowQaSpecialist,
  'workflow/senior-developer': workflowSeniorDeveloper,
  'workflow/synthesis': workflowSynthesis,
  'workflow/synthesis-standard': workflowSynthesisStandard,
  'workflow/test-stability-advisor': workflowTestStabilityAdvisor,
  'workflow/verifier': workflowVerifier,
  'spec/discovery-analyst': specDiscoveryAnalyst,
  'spec/requirements-analyst': specRequirementsAnalyst,
  'spec/user-scenario-analyst': specUserScenarioAnalyst,
  'spec/risk-auditor': specRiskAuditor,
  'spec/tech-constraint-analyst': specTechConstraintAnalyst,
  'spec/synthesis': specSynthesis,
  'spec/critic': specCritic,
  'worker/worker': workerWorker,
  'mission/planner': missionPlanner,
  'mission/plan-reviewer': missionPlanReviewer,
  'mission/orchestrator': missionOrchestrator,
  'mission/worker': missionWorker,
  'mission/validator': missionValidator,
  'mission/crosscheck': missionCrosscheck,
  'mission/ui-qa': missionUiQa,
  'mission/architect': missionArchitect,
  'mission/debugger': missionDebugger,
  'mission/documenter': missionDocumenter,
  'mission/curator': missionCurator,
};
