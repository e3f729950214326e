import { resolveThemeSettings, type ThemeSettings } from '../themes/theme-settings.js';
import { themes } from '../themes/themes.js';
import { chatIsOffered } from './offered-chat.js';
import type { GuestContext } from './visitor-context.js';

/** What a page needs to know of the chat that a site offers its visitors. */
export interface ChatSettings {
  offered: boolean;
  siteName: string;
  allowSignup: boolean;
  greeting: string | null;
  locale: string;
  theme: ThemeSettings;
}

export async function readChatSettings({ db, workspaceId, site }: GuestContext): Promise<ChatSettings> {
  const offered = await db.readInWorkspace(workspaceId, (tx) => chatIsOffered(tx, site));
  return {
    offered,
    siteName: site.name,
    allowSignup: site.allowSignup,
    greeting: site.chatGreeting,
    locale: site.primaryLocale,
    theme: resolveThemeSettings(themes[site.theme].defaults, site.themeSettings as ThemeSettings),
  };
}
