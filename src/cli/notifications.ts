/** What a long command tells people outside of the terminal, as their own settings say; without such settings, nothing. */
import { basename } from 'node:path';
import { NOTICE_KINDS } from '../domain/notice-kind.ts';
import { loadConfig } from '../config/read-config.ts';
import { loadUserSettings } from '../config/user-settings.ts';
import { harnessHome } from '../platform/harness-home.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { EXIT } from '../domain/reasons.ts';
import { endNotice } from '../kernel/notify/notification.ts';
import { rememberProject } from '../reading/known-projects.ts';
import { createNotifier, type NotifierGround } from '../kernel/notify/notifier.ts';
import type { CommandResult } from './command.ts';

export interface Notifications {
  see(event: HarnessEvent): void;
  end(result: CommandResult): Promise<void>;
}

export async function openNotifications(
  ground: Omit<NotifierGround, 'project' | 'cwd'> & { root: string; command: string },
): Promise<Notifications | null> {
  const settings = await loadUserSettings(ground.platform).catch(() => ({ notify: undefined, ui: undefined }));
  const { command = null, webhook = null, bell = false, on = NOTICE_KINDS } = settings.notify ?? {};
  if (command === null && webhook === null && !bell) return null;
  const url = settings.ui?.url?.replace(/\/$/, '');
  const link = url === undefined ? {} : { link: await questionLink(ground, url) };
  const notifier = createNotifier(
    { ...ground, cwd: harnessHome(ground.platform), project: await nameOf(ground), ...link },
    { command, webhook, bell, on },
  );
  return {
    see: notifier.see,
    end: async ({ exitCode, outcome, message = '' }) => {
      const how = outcome ?? (exitCode === EXIT.done ? 'complete' : 'error');
      await notifier.end(endNotice({ command: ground.command, outcome: how, exit_code: exitCode, message }));
    },
  };
}

async function questionLink(
  { platform, root }: Pick<NotifierGround, 'platform'> & { root: string },
  url: string,
): Promise<(gate: string) => string> {
  const { id } = await rememberProject(platform, root);
  return (gate) => `${url}/#/p/${id}/questions/${encodeURIComponent(gate)}`;
}

/** As the settings call it; else the name of its folder. */
async function nameOf({ platform, root }: Pick<NotifierGround, 'platform'> & { root: string }): Promise<string> {
  const loaded = await loadConfig(platform, root).catch(() => null);
  return loaded?.config.project.name ?? basename(root);
}
