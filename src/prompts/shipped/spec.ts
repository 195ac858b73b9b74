/** Roles of the spec flow. */

export const SPEC_ROLES: Readonly<Record<string, string>> = {};
