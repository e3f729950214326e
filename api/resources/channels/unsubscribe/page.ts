import type { Unsubscription } from '../../../../domain/channels/email/unsubscribe.js';

/** The page behind the link of an email, without scripts, styles or anything from elsewhere. */
export function unsubscribePage({ fromName, isUnsubscribed }: Unsubscription): string {
  const sender = escaped(fromName);
  const [title, words, button, action] = isUnsubscribed
    ? [
        'You are unsubscribed',
        `${sender} begins no more email conversations with you. You still get answers to what you write.`,
        'Subscribe again',
        '?subscribe=true',
      ]
    : ['Unsubscribe', `Do you want no more emails that ${sender} sends on its own?`, 'Unsubscribe', '?'];
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
<form method="post" action="${action}"><button type="submit">${button}</button></form>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
