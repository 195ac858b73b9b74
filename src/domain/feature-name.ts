/**
 * What a feature is called. Pure.
 *
 * 1. A project numbers its features; people see `#7`.
 * 2. A mission names them `F-007`, and `F-FIX-007` those that came out of an issue. Inside, such a name is a number above all that a project gives, so
 *    that books, kept work and flights need one kind of key, and the two flows never mix up each other's.
 */
import { mustHave } from './must-have.ts';

const QUEUED = 1_000_000;
const FIXES = 2_000_000;

/** Null: no name of a mission's feature. */
export function missionFeatureNumber(name: string): number | null {
  const match = /^F-(FIX-)?(\d{3,5})$/.exec(name);
  if (match === null) return null;
  const number = Number(match[2]);
  if (number === 0 || name !== missionFeatureName(number, match[1] !== undefined)) return null;
  return (match[1] === undefined ? QUEUED : FIXES) + number;
}

/** The number of a name that the harness itself has given. */
export function numberOfFeature(name: string): number {
  return mustHave(missionFeatureNumber(name), `${name} names a feature of a mission`);
}

export function missionFeatureName(number: number, isFix = false): string {
  return `F-${isFix ? 'FIX-' : ''}${String(number).padStart(3, '0')}`;
}

/** As agents and scripts name it: a project's number, or a mission's name. */
export function featureKey(feature: number): string {
  if (feature > FIXES) return missionFeatureName(feature - FIXES, true);
  return feature > QUEUED ? missionFeatureName(feature - QUEUED) : String(feature);
}

/** As people name it. */
export function featureLabel(feature: number | string): string {
  if (typeof feature === 'string') return feature;
  return isMissionFeature(feature) ? featureKey(feature) : `#${feature}`;
}

export function isMissionFeature(feature: number): boolean {
  return feature > QUEUED;
}
