// @ts-check
import { Lexer, Tokenizer } from 'marked';

/** @typedef {import('marked').Token} Token */
/** @typedef {import('marked').Tokens.List} List */
/** @typedef {import('marked').Tokens.Table} Table */
/** @typedef {import('marked').Tokens.Link} Link */
/**
 * Makes an element. Texts among the children are text, never markup.
 * @template Made
 * @typedef {(name: string, attributes: Record<string, string | number | undefined>, children: (Made | string)[]) => Made} Make
 */

/** Longer texts, which nobody writes, are shown as they are: reading them takes time by the square of their length. */
const max = 12_000;
const maxMarks = 400;
const deepest = 6;

/**
 * The Markdown that agents and colleagues write, as elements, wherever it is shown. What is no certain mark is shown as it was
 * written: a date or a dose must not change.
 * @template Made @param {string} text @param {Make<Made>} make @returns {Made[]}
 */
export function blocks(text, make) {
  const written = text.replace(/\r\n?/g, '\n');
  const isRead = text.length <= max && (text.match(/[*_[~`>]/g) ?? []).length <= maxMarks;
  if (!isRead) return written.split(/\n{2,}/).map((part) => make('p', {}, lines(part, make)));
  const tokens = new Lexer({ gfm: true, breaks: true, tokenizer: new Reader() }).lex(written);
  return /** @type {Made[]} */ (shown(tokens, make, false));
}

/** @template Made @param {string} text @param {Make<Made>} make @returns {(Made | string)[]} */
function lines(text, make) {
  return text.split('\n').flatMap((line, at) => (at === 0 ? [line] : [make('br', {}, []), line]));
}

/** Reads what is certain, and leaves all else as text. */
class Reader extends Tokenizer {
  #depth = 0;

  /** A numbered list is one if its numbers are those that a reader sees: so a line that begins with a date is none. @override @param {string} src */
  list(src) {
    return /** @type {List | undefined} */ (this.#within(() => super.list(src), isList));
  }

  /** Not `>180`. @override @param {string} src */
  blockquote(src) {
    const isQuote = /** @param {{ raw: string }} token */ ({ raw }) => !/^ {0,3}>[ >]*\p{N}/mu.test(raw);
    return /** @type {import('marked').Tokens.Blockquote | undefined} */ (
      this.#within(() => super.blockquote(src), isQuote)
    );
  }

  /** Not `2*500 mg`. @override @param {string} src @param {string} masked @param {string} [before] */
  emStrong(src, masked, before = '') {
    if (this.#depth > deepest) return undefined;
    const token = this.#deeper(() => super.emStrong(src, masked, before));
    if (token === undefined) return undefined;
    const isGlued = /[\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}*]$/u.test(before);
    const goesOn = /^\p{N}/u.test(src.slice(token.raw.length, token.raw.length + 2));
    const isSign = /^[)\]}.,;:!?]|[([{]$/.test(token.text);
    return isGlued || goesOn || isSign ? undefined : token;
  }

  /** Not `~5 mg`. @override @param {string} src */
  del(src) {
    return src.startsWith('~~') && this.#depth <= deepest ? this.#deeper(() => super.del(src)) : undefined;
  }

  /** @override @param {string} src */
  link(src) {
    return this.#depth > deepest ? undefined : this.#deeper(() => super.link(src));
  }

  /** An address as it is written, without what stands around it. @override @param {string} src */
  url(src) {
    const raw = /^(?:https?:\/\/|www\.)[^\s<>"“”„‟«»‹›「」『』。，、！？；：…*`|]+/i.exec(src)?.[0];
    if (raw !== undefined) {
      const text = withoutEnd(raw);
      return linkTo(text, /^www\./i.test(text) ? `http://${text}` : text);
    }
    const mail = /^[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/i.exec(src)?.[0];
    return mail === undefined ? undefined : linkTo(mail, `mailto:${mail}`);
  }

  /** Words that would not be shown, or as something that nobody meant. @override @returns {undefined} */
  code() {}
  /** @override @returns {undefined} */
  lheading() {}
  /** @override @returns {undefined} */
  def() {}
  /** @override @returns {undefined} */
  html() {}
  /** @override @returns {undefined} */
  tag() {}

  /** @template T @param {() => T} read @returns {T} */
  #deeper(read) {
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /**
   * The token, or its lines as they were written.
   * @template {{ raw: string }} T @param {() => T | undefined} read @param {(token: T) => boolean} isMeant
   */
  #within(read, isMeant) {
    if (this.#depth > deepest) return undefined;
    const token = this.#deeper(read);
    if (token === undefined || isMeant(token)) return token;
    const { raw } = token;
    return { type: 'paragraph', raw, text: raw, tokens: this.lexer.inline(raw) };
  }
}

/** @param {List} list */
function isList({ ordered, start, items }) {
  if (items.length < 2) return false;
  if (!ordered) return !/^\s*\+/.test(items[0]?.raw ?? '');
  return items.every(({ raw }, at) => /^\s*(\d+)/.exec(raw)?.[1] === String(Number(start) + at));
}

/** Without the signs that end a sentence, and a bracket that begins outside. @param {string} address */
function withoutEnd(address) {
  const open = { ')': address.split('(').length, ']': address.split('[').length };
  const closed = { ')': address.split(')').length, ']': address.split(']').length };
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    if (last === ')' || last === ']') {
      if (closed[last] <= open[last]) break;
      closed[last] -= 1;
    } else if (!".,;:!?'’‘_~".includes(last)) break;
  }
  return address.slice(0, end);
}

/** @param {string} text @param {string} href @returns {Link} */
function linkTo(text, href) {
  return { type: 'link', raw: text, text, href, tokens: [{ type: 'text', raw: text, text, escaped: false }] };
}

/**
 * @template Made @param {readonly Token[]} tokens @param {Make<Made>} make
 * @param {boolean} isTight whether texts stand alone, as in a list without blank lines @returns {(Made | string)[]}
 */
function shown(tokens, make, isTight) {
  /** @type {(Made | string)[]} */
  const made = [];
  /** The lines of one paragraph. @type {(Made | string)[]} */
  let text = [];
  const end = () => {
    if (text.length > 0) made.push(...(isTight ? text : [make('p', {}, text)]));
    text = [];
  };
  for (const token of tokens) {
    if (token.type === 'paragraph' || token.type === 'text') {
      if (text.length > 0) text.push(make('br', {}, []));
      text.push(...('tokens' in token ? inline(token.tokens ?? [], make) : lines(token.raw, make)));
    } else {
      end();
      made.push(...block(token, make));
    }
  }
  end();
  return made;
}

/** @template Made @param {Token} token @param {Make<Made>} make @returns {Made[]} */
function block(token, make) {
  switch (token.type) {
    case 'space':
      return [];
    case 'hr':
      return [make('hr', {}, [])];
    case 'heading':
      return [make('p', {}, [make('strong', {}, inline(token.tokens ?? [], make))])];
    case 'code':
      return [make('pre', {}, [make('code', {}, [token['text']])])];
    case 'blockquote':
      return [make('blockquote', {}, shown(token.tokens ?? [], make, false))];
    case 'list':
      return [listOf(/** @type {List} */ (token), make)];
    case 'table':
      return [tableOf(/** @type {Table} */ (token), make)];
    default:
      return [make('p', {}, lines(token.raw, make))];
  }
}

/** @template Made @param {List} list @param {Make<Made>} make @returns {Made} */
function listOf({ ordered, start, items, loose }, make) {
  const made = items.map(({ tokens, task, checked }) => {
    const box = task ? [checked ? '[x] ' : '[ ] '] : [];
    return make('li', {}, [...box, ...shown(tokens, make, !loose)]);
  });
  return make(ordered ? 'ol' : 'ul', ordered && start !== 1 ? { start: Number(start) } : {}, made);
}

/** @template Made @param {Table} table @param {Make<Made>} make @returns {Made} */
function tableOf({ header, rows }, make) {
  const row = /** @param {Table['header']} cells */ (cells) =>
    make(
      'tr',
      {},
      cells.map((cell) => make(cell.header ? 'th' : 'td', {}, inline(cell.tokens, make))),
    );
  return make('table', {}, [make('thead', {}, [row(header)]), make('tbody', {}, rows.map(row))]);
}

/** @template Made @param {readonly Token[]} tokens @param {Make<Made>} make @returns {(Made | string)[]} */
function inline(tokens, make) {
  return tokens.flatMap((token, at) => {
    const children = () => inline('tokens' in token ? (token.tokens ?? []) : [], make);
    switch (token.type) {
      case 'strong':
      case 'em':
        return [make(token.type, {}, children())];
      case 'del':
        return [make('s', {}, children())];
      case 'br':
        return [make('br', {}, [])];
      case 'codespan':
        // A word with it, such as geht`s, has an apostrophe.
        if (/[\p{L}\p{N}]$/u.test(tokens[at - 1]?.raw ?? '')) return [token.raw];
        return [make('code', {}, [token['text']])];
      case 'link':
      case 'image':
        if (!leadsSomewhere(token['href'])) return [token.raw];
        return [
          make(
            'a',
            { href: token['href'] },
            token.type === 'link' ? children() : [token['text'] || token['href']],
          ),
        ];
      case 'escape':
        return [token['text']];
      default:
        return lines(token.raw, make);
    }
  });
}

/** @param {string} href */
function leadsSomewhere(href) {
  return URL.canParse(href) && ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(href).protocol);
}
