/** Roles of the workflow flow. */

export const WORKFLOW_ROLES: Readonly<Record<string, string>> = {};
