import type { SiteRow } from '../../../db/sites/sites.js';
import { canonicalLocale } from '../../lib/locales.js';
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
  greetingLocale: string;
  locale: string;
  theme: ThemeSettings;
}

/** @param locale of the page; undefined: unknown */
export async function readChatSettings(
  { db, workspaceId, site }: GuestContext,
  locale: string | undefined,
): Promise<ChatSettings> {
  const offered = await db.readInWorkspace(workspaceId, (tx) => chatIsOffered(tx, site));
  return {
    offered,
    siteName: site.name,
    allowSignup: site.allowSignup,
    ...greetingIn(site, locale),
    locale: site.primaryLocale,
    theme: resolveThemeSettings(themes[site.theme].defaults, site.themeSettings as ThemeSettings),
  };
}

/** The greeting for a page in a locale: its own, or that of its language, or that of the site. */
function greetingIn(
  {
    chatGreeting,
    chatGreetingTranslations: translations,
    primaryLocale,
  }: Pick<SiteRow, 'chatGreeting' | 'chatGreetingTranslations' | 'primaryLocale'>,
  locale: string | undefined,
): Pick<ChatSettings, 'greeting' | 'greetingLocale'> {
  const given = new Map(Object.entries(translations));
  if (chatGreeting !== null) given.set(primaryLocale, chatGreeting);
  const asked = canonicalLocale(locale ?? primaryLocale) ?? primaryLocale;
  const [language] = asked.split('-');
  const found =
    [asked, language as string].find((one) => given.has(one)) ??
    [...given.keys()].find((one) => one.split('-')[0] === language);
  if (found === undefined) return { greeting: chatGreeting, greetingLocale: primaryLocale };
  return { greeting: given.get(found) ?? null, greetingLocale: found };
}
