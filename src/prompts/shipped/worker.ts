/** The role of the worker flow. */
import worker from '../roles/worker-worker.md';

export const WORKER_ROLES: Readonly<Record<string, string>> = { 'worker/worker': worker };
