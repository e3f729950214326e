import type { Unsubscription } from '../../../../domain/channels/email/unsubscribe.js';
import { pageDocument } from '../../../html/account/page.js';
import { filled, type Language, languageFor, localesIn } from '../../../html/account/texts/language.js';
import { type Html, html } from '../../../http/html.js';

/**
 * The page behind the link of an email, in the name of the organization.
 * @param languages what the browser asks for, where the recipient is not known
 */
export function unsubscribePage(of: Unsubscription, languages: string | undefined): string {
  const { sender, locale } = of;
  const language = languageFor([locale ?? [], localesIn(languages)].flat());
  const { title, words, button } = contentOf(of, language);
  const { name, postalAddress } = sender;
  const content = html`<p>${words}</p>
${button}
<address>${name}${postalAddress === null ? undefined : `, ${postalAddress}`}</address>`;
  return pageDocument({ title, content, sender: name }, language);
}

interface Content {
  title: string;
  words: string;
  button?: Html;
}

function contentOf({ fromName, sender, optOut }: Unsubscription, { texts }: Language): Content {
  const name = fromName === sender.name ? fromName : `${fromName} (${sender.name})`;
  switch (optOut) {
    case undefined:
      return {
        title: texts.unsubscribe,
        words: filled(texts.unsubscribeAsk, { name }),
        button: buttonOf(texts.unsubscribe, '?'),
      };
    case 'link':
      return {
        title: texts.unsubscribed,
        words: filled(texts.unsubscribedByLink, { name }),
        button: buttonOf(texts.subscribeAgain, '?subscribe=true', 'quiet'),
      };
    case 'complaint':
      return { title: texts.unsubscribed, words: filled(texts.unsubscribedByComplaint, { name }) };
    case 'bounce':
      return { title: texts.noEmailsForNow, words: filled(texts.unsubscribedByBounce, { name }) };
  }
}

function buttonOf(text: string, action: string, kind = ''): Html {
  return html`<form method="post" action="${action}"><button type="submit" class="${kind}">${text}</button></form>`;
}
