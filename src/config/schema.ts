/**
 * `.harness.yaml` as a whole.
 *
 * 1. `Config` is what the rest of the program sees: every key is there, defaults filled in.
 * 2. Only `project.name` and `testing.full` have no default.
 * 3. Rules that tie two keys together are in `check-config.ts`, so that this schema also serves editors.
 */
import { z } from '../domain/zod.ts';
import {
  EnvironmentSection,
  FeaturesSection,
  PathsSection,
  ProjectSection,
  QualitySection,
  TestingSection,
  VerificationSection,
} from './schema-project.ts';
import {
  AgentSection,
  ContextSection,
  CostsSection,
  LanesSection,
  ModelsSection,
  PricesSection,
  ProgressSection,
  SandboxSection,
  SessionSection,
  ToolsSection,
} from './schema-session.ts';
import { MissionSection } from './schema-mission.ts';
import {
  CheckpointsSection,
  CompatibilitySection,
  GithubSection,
  GitSection,
  LoggingSection,
  MaintenanceSection,
  PreflightSection,
  ScheduleSection,
  TddSection,
  TelemetrySection,
  WorkerSection,
  WorkspaceSection,
} from './schema-operation.ts';

export const ConfigSchema = z.strictObject({
  $schema: z.string().optional().describe('Address of the JSON Schema, for editors.'),
  project: ProjectSection,
  environment: EnvironmentSection,
  testing: TestingSection,
  agent: AgentSection,
  models: ModelsSection,
  prices: PricesSection,
  costs: CostsSection,
  session: SessionSection,
  context: ContextSection,
  progress: ProgressSection,
  verification: VerificationSection,
  features: FeaturesSection,
  quality: QualitySection,
  preflight: PreflightSection,
  checkpoints: CheckpointsSection,
  workspace: WorkspaceSection,
  git: GitSection,
  sandbox: SandboxSection,
  tools: ToolsSection,
  github: GithubSection,
  logging: LoggingSection,
  paths: PathsSection,
  compatibility: CompatibilitySection,
  lanes: LanesSection,
  schedule: ScheduleSection,
  telemetry: TelemetrySection,
  maintenance: MaintenanceSection,
  mission: MissionSection,
  tdd: TddSection,
  worker: WorkerSection,
});
export type Config = z.infer<typeof ConfigSchema>;
