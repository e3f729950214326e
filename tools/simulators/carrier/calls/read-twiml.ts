import { SaxesParser } from 'saxes';

/** An element of TwiML; `text` is its own, without that of its children. */
export interface Verb {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Verb[];
}

export interface TwimlProblem {
  code: number;
  message: string;
}

/** Attributes of each element, and the elements that it may contain. */
const known: Record<
  string,
  { attributes: readonly string[]; children?: readonly string[]; hasText?: boolean }
> = {
  Response: {
    attributes: [],
    children: ['Connect', 'Dial', 'Gather', 'Hangup', 'Pause', 'Play', 'Redirect', 'Reject', 'Say'],
  },
  Connect: { attributes: ['action', 'method'], children: ['ConversationRelay', 'Stream'] },
  ConversationRelay: {
    attributes: ['dtmfDetection', 'events', 'interruptible', 'language', 'url', 'voice'],
    children: ['Parameter'],
  },
  Stream: {
    attributes: ['name', 'statusCallback', 'statusCallbackMethod', 'track', 'url'],
    children: ['Parameter'],
  },
  Parameter: { attributes: ['name', 'value'] },
  Dial: {
    attributes: ['action', 'answerOnBridge', 'callerId', 'hangupOnStar', 'method', 'timeLimit', 'timeout'],
    children: ['Number'],
    hasText: true,
  },
  Gather: {
    attributes: ['action', 'actionOnEmptyResult', 'finishOnKey', 'input', 'method', 'numDigits', 'timeout'],
    children: ['Pause', 'Play', 'Say'],
  },
  Number: { attributes: ['method', 'url'], hasText: true },
  Hangup: { attributes: [] },
  Pause: { attributes: ['length'] },
  Play: { attributes: ['loop'], hasText: true },
  Redirect: { attributes: ['method'], hasText: true },
  Reject: { attributes: ['reason'] },
  Say: { attributes: ['language', 'loop', 'voice'], hasText: true },
};

/**
 * Reads TwiML as the carrier does: what is no XML with a `Response` fails, and what no verb, attribute or place of them
 * is known for is left out, with a warning for each.
 */
export function readTwiml(
  xml: string,
): { verbs: Verb[]; problems: TwimlProblem[] } | { failure: TwimlProblem } {
  if (Buffer.byteLength(xml) > 64 * 1024) {
    return { failure: { code: 11750, message: 'TwiML response body too large' } };
  }
  const root = parse(xml);
  if (root === undefined) return { failure: { code: 12100, message: 'Document parse failure' } };
  if (root.name !== 'Response') {
    return { failure: { code: 12102, message: 'Invalid document: the root has to be Response' } };
  }
  const problems: TwimlProblem[] = [];
  const { children } = checked(root, problems);
  return { verbs: children, problems };
}

function parse(xml: string): Verb | undefined {
  const roots: Verb[] = [];
  const open: Verb[] = [];
  let isBroken = false;
  const parser = new SaxesParser();
  parser.on('error', () => {
    isBroken = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const verb: Verb = { name, attributes: { ...attributes }, text: '', children: [] };
    (open.at(-1)?.children ?? roots).push(verb);
    open.push(verb);
  });
  const read = (text: string) => {
    const verb = open.at(-1);
    if (verb !== undefined) verb.text += text;
  };
  parser.on('text', read);
  parser.on('cdata', read);
  parser.on('closetag', () => open.pop());
  try {
    parser.write(xml.trim()).close();
  } catch {
    return undefined;
  }
  return isBroken ? undefined : roots[0];
}

function checked(verb: Verb, problems: TwimlProblem[]): Verb {
  const { attributes, children = [], hasText = false } = known[verb.name] ?? { attributes: [] };
  const warn = (what: string): void => {
    problems.push({ code: 12200, message: `Schema validation warning: ${what}` });
  };
  for (const name of Object.keys(verb.attributes)) {
    if (!attributes.includes(name)) warn(`${verb.name} has no attribute ${name}`);
  }
  for (const child of verb.children) {
    if (!children.includes(child.name)) warn(`${verb.name} contains no ${child.name}`);
  }
  const text = verb.text.trim();
  if (text !== '' && !hasText) warn(`${verb.name} contains no text`);
  return {
    name: verb.name,
    attributes: Object.fromEntries(
      Object.entries(verb.attributes).filter(([name]) => attributes.includes(name)),
    ),
    text: hasText ? text : '',
    children: verb.children
      .filter(({ name }) => children.includes(name))
      .map((child) => checked(child, problems)),
  };
}
