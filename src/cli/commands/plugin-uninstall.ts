/** `harness plugin uninstall`: takes back everything that `harness plugin install` did. */
import { EXIT } from '../../domain/reasons.ts';
import type { Command } from '../command.ts';
import { readHostSettings, withoutStopHook, writeHostSettings } from '../host-settings.ts';
import { chosenHosts, removeLeftFolder, runHost, shown } from '../hosts.ts';
import { flagOption, textOption } from '../options.ts';

export const run: Command = async ({ platform, options, output }) => {
  const hosts = await chosenHosts(platform, textOption(options, 'host'));
  const isPreview = flagOption(options, 'print');
  const commands = hosts.flatMap((host) => host.uninstall.map((args) => shown(host, args)));
  for (const host of isPreview ? [] : hosts) {
    for (const args of host.uninstall) await runHost(platform, host, args, true);
    await removeLeftFolder(platform, host);
    const found = await readHostSettings(platform, host.hooks(platform));
    const wanted = withoutEmpty(withoutStopHook(found.settings));
    if (JSON.stringify(wanted) !== JSON.stringify(found.settings)) await writeHostSettings(platform, found, wanted);
  }
  const names = hosts.map(({ title }) => title).join(' and ');
  const text = isPreview ? ['This would be done:', ...commands.map((command) => `  ${command}`)] : [`Removed the plugin from ${names}.`];
  output.object({ printed: isPreview, commands }, text.join('\n'));
  return { exitCode: EXIT.done };
};

/** What a host leaves of a list that held the plugin alone. */
const LEFT_EMPTY = ['enabledPlugins', 'extraKnownMarketplaces'];

function withoutEmpty<Settings extends Record<string, unknown>>(settings: Settings): Settings {
  const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => !LEFT_EMPTY.includes(key) || !isEmpty(value))) as Settings;
}
