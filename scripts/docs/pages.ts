/** Every page and schema that is made from the sources: path below the package → content. */
import { generatedFiles as architecture } from './architecture.ts';
import { generatedFiles as configuration } from './configuration.ts';
import { generatedFiles as failures } from './failures-page.ts';
import { generatedFiles as manPage } from './man-page.ts';
import { generatedFiles as missionMachine } from './mission-machine.ts';
import { generatedFiles as missionSchemas } from './mission-schemas.ts';
import { generatedFiles as names } from './names-page.ts';
import { generatedFiles as projectMachine } from './project-machine.ts';
import { generatedFiles as specMachine } from './spec-machine.ts';
import { generatedFiles as workerMachine } from './worker-machine.ts';
import { generatedFiles as workerSchemas } from './worker-schemas.ts';
import { generatedFiles as workflowMachine } from './workflow-machine.ts';

const PAGES = [
  configuration,
  failures,
  manPage,
  missionMachine,
  missionSchemas,
  names,
  projectMachine,
  specMachine,
  workerMachine,
  workerSchemas,
  workflowMachine,
];

/** `root`: where the sources are that pages quote. */
export function generatedFiles(root: string): Record<string, string> {
  return Object.assign({}, architecture(root), ...PAGES.map((page) => page()));
}
