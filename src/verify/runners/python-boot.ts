/** What recorders in Python share: a report that is sealed with a key which nobody can read after them. */
import recorder from '../../../assets/recorder.py';

export const PYTHON_ENVIRONMENT = { PYTHONPATH: '', PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0', PYTHONNOUSERSITE: '1' };

/** Imports what it needs; the key's file is gone once a recorder is made. */
export const PYTHON_RECORDER = recorder;

/** A value as Python spells it. */
export function pythonLiteral(value: unknown): string {
  return value === null || value === undefined ? 'None' : JSON.stringify(value);
}
