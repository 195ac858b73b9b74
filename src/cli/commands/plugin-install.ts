/** `harness plugin install`: the plugin of this package, by the hosts' own commands. */
import { EXIT } from '../../domain/reasons.ts';
import type { Command } from '../command.ts';
import { readHostSettings, withStopHook, writeHostSettings } from '../host-settings.ts';
import { chosenHosts, pluginFolder, requireOnPath, runHost, shown } from '../hosts.ts';
import { flagOption, textOption } from '../options.ts';

export const run: Command = async ({ platform, options, output }) => {
  const hosts = await chosenHosts(platform, textOption(options, 'host'));
  const folder = await pluginFolder(platform);
  const isPreview = flagOption(options, 'print');
  const hasHook = flagOption(options, 'stopHook');
  if (!isPreview) await requireOnPath(platform);
  const done: { host: string; commands: string[]; hook: string | null }[] = [];
  const notes: string[] = [];
  for (const host of hosts) {
    const settings = hasHook ? await readHostSettings(platform, host.hooks(platform)) : null;
    if (!isPreview) {
      // One from an older place gives way.
      for (const args of host.uninstall) await runHost(platform, host, args, true);
      for (const args of host.install(folder)) await runHost(platform, host, args);
      if (settings !== null) {
        const now = await readHostSettings(platform, settings.file);
        await writeHostSettings(platform, now, withStopHook(now.settings));
      }
    }
    if (settings !== null && host.afterHook !== null) notes.push(host.afterHook);
    done.push({ host: host.name, commands: host.install(folder).map((args) => shown(host, args)), hook: settings?.file ?? null });
  }
  const lines = done.flatMap(({ commands, hook }) => [
    ...commands.map((command) => `  ${command}`),
    ...(hook === null ? [] : [`  Stop hook in ${hook}`]),
  ]);
  const names = hosts.map(({ title }) => title).join(' and ');
  const text = isPreview
    ? ['This would be done:', ...lines]
    : [`Installed the plugin in ${names}:`, ...lines, ...notes, 'New sessions have it. harness plugin uninstall removes it.'];
  output.object({ printed: isPreview, hosts: done }, text.join('\n'));
  return { exitCode: EXIT.done };
};
