/** The version of this program, as it stands in package.json. */
import manifest from '../../package.json' with { type: 'json' };

export const HARNESS_VERSION: string = manifest.version;
