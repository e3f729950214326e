import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';

/** What stands below an email that its recipient may unsubscribe from. */
export interface EmailFooter {
  /** The organization and, if it has told it, where it is reached by post. */
  sender: string;
  /** The words of the link, and their language. */
  unsubscribe: string;
  lang: string;
}

const links: Readonly<Record<string, string>> = {
  en: 'Unsubscribe',
  de: 'Abbestellen',
  es: 'Darse de baja',
};

type Sender = Pick<WorkspaceRow, 'name' | 'postalAddress'>;

/** In the language of this locale, if there are words in it. */
export function emailFooter(workspace: Sender, locale: string): EmailFooter {
  const language = locale.split('-', 1)[0]?.toLowerCase() ?? '';
  const lang = Object.hasOwn(links, language) ? language : 'en';
  return { sender: senderLine(workspace), unsubscribe: links[lang] ?? '', lang };
}

/** All that may stand there, to be known again where it is quoted. */
export function footerTexts(workspace: Sender): string[] {
  return [senderLine(workspace), ...Object.values(links)];
}

function senderLine({ name, postalAddress }: Sender): string {
  return postalAddress === null ? name : `${name}, ${postalAddress}`;
}
