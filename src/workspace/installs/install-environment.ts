/**
 * The variables of package managers.
 *
 * 1. Of the user's environment: what programs need to run, certificates, proxies, and settings of package managers from a list.
 * 2. npm hands its settings to what it starts, also those of the project in which it was started. Below npm none of them counts.
 * 3. What runs code, or takes a manager or a setting from a project, is off by name, whatever else says so.
 */
import type { Platform } from '../../platform/platform.ts';
import type { InstallPlan } from '../install-plan.ts';

const KEPT =
  /^(?:PATH|HOME|LANG|LC_.*|XDG_CONFIG_HOME|XDG_CONFIG_DIRS|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|COREPACK_NPM_REGISTRY|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/;
const KEPT_OF_NPM =
  /^npm_config_(?:registry|userconfig|globalconfig|prefix|https?_proxy|proxy|noproxy|cafile|ca|strict_ssl|@[^:]+:registry|\/\/.+)$/i;
/** Set by npm for its children. */
const BELOW_NPM = ['npm_command', 'npm_lifecycle_event', 'npm_execpath', 'npm_config_user_agent', 'npm_config_local_prefix'] as const;

const OFF: Readonly<Record<string, string>> = {
  CI: '1',
  COREPACK_ENV_FILE: '0',
  COREPACK_ENABLE_AUTO_PIN: '0',
  COREPACK_ENABLE_STRICT: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  COREPACK_ENABLE_UNSAFE_CUSTOM_URLS: '0',
  YARN_IGNORE_PATH: '1',
  YARN_NODE_LINKER: 'node-modules',
  YARN_ENABLE_TELEMETRY: '0',
  YARN_ENABLE_MIRROR: '0',
  // Empty would be the project's folder, which yarn cannot read as a file.
  YARN_INJECT_ENVIRONMENT_FILES: '/dev/null',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_package_lock: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'https:http:ssh:git',
};
const OFF_FOR_PNPM = ['manage_package_manager_versions', 'ignore_pnpmfile:true', 'verify_deps_before_run'] as const;

export function installEnvironment(platform: Pick<Platform, 'env'>, manager: InstallPlan['manager']): Record<string, string> {
  const isBelowNpm = BELOW_NPM.some((name) => platform.env[name] !== undefined);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(platform.env))
    if (value !== undefined && (KEPT.test(name) || (!isBelowNpm && KEPT_OF_NPM.test(name)))) env[name] = value;
  const ofPnpm = OFF_FOR_PNPM.flatMap((entry) => {
    const [name = '', value = 'false'] = entry.split(':');
    return [`npm_config_${name}`, `pnpm_config_${name}`].map((key) => [key, value]);
  });
  return { ...env, ...OFF, ...(manager === 'pnpm' ? Object.fromEntries(ofPnpm) : {}) };
}
