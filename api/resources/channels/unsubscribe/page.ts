import type { Unsubscription } from '../../../../domain/channels/email/unsubscribe.js';

/** The page behind the link of an email, without scripts, styles or anything from elsewhere. */
export function unsubscribePage({ fromName, optOut }: Unsubscription): string {
  const { title, words, button } = contentOf(escaped(fromName), optOut);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${words}</p>
${button}
</main>
</body>
</html>
`;
}

function contentOf(sender: string, optOut: Unsubscription['optOut']) {
  switch (optOut) {
    case undefined:
      return {
        title: 'Unsubscribe',
        words: `Stop emails from ${sender}? You will still get replies when you write to them.`,
        button: buttonOf('Unsubscribe', '?'),
      };
    case 'link':
      return {
        title: 'You are unsubscribed',
        words: `${sender} will not start new email conversations with you. You will still get replies when you write to them.`,
        button: buttonOf('Subscribe again', '?subscribe=true'),
      };
    case 'complaint':
      return {
        title: 'You are unsubscribed',
        words: `${sender} sends you no more emails, because your email provider reported one of them as unwanted.`,
        button: '',
      };
    case 'bounce':
      return {
        title: 'You get no emails for now',
        words: `${sender} sends you no emails for 30 days, because your email provider reported that your mailbox does not exist.`,
        button: '',
      };
  }
}

function buttonOf(text: string, action: string): string {
  return `<form method="post" action="${action}"><button type="submit">${text}</button></form>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
