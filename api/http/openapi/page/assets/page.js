/** The filter, the credentials and the requests of the reference. The text is all in the page without it. */

/** @template {Element} [Found=HTMLElement] @param {string} selector @param {ParentNode} [within] @returns {Found} */
function one(selector, within = document) {
  return /** @type {Found} */ (within.querySelector(selector));
}

/** @template {Element} [Found=HTMLElement] @param {string} selector @param {ParentNode} [within] @returns {Found[]} */
function all(selector, within = document) {
  return /** @type {Found[]} */ ([...within.querySelectorAll(selector)]);
}

const apiPath = location.pathname.replace(/\/docs\/?$/, '');

// --- Filter ---

const filter = /** @type {HTMLInputElement} */ (one('#filter'));
const searchable = all('main article, main tbody tr').map((element) => ({
  element,
  text: (element.textContent ?? '').toLowerCase(),
  title: all('h3, h3 + p', element)
    .map((title) => title.textContent ?? '')
    .join(' ')
    .toLowerCase(),
}));

const maxHits = 12;

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (/** @type {string} */ text) => words.every((word) => text.includes(word));
  for (const { element, text } of searchable) element.hidden = !has(text);
  const found = words.length === 0 ? [] : searchable.filter(({ element }) => element.id && !element.hidden);
  // What the title says comes before what only the text says.
  found.sort((one, other) => Number(has(other.title)) - Number(has(one.title)));
  for (const section of all('main section')) {
    const entries = all('article, tbody tr', section);
    section.hidden = words.length > 0 && entries.every((entry) => entry.hidden);
  }
  for (const entry of all('nav li li')) {
    const target = document.getElementById(one('a', entry).getAttribute('href')?.slice(1) ?? '');
    entry.hidden = target?.hidden ?? false;
  }
  for (const group of all('nav details > ul > li')) {
    const target = document.getElementById(one('a', group).getAttribute('href')?.slice(1) ?? '');
    group.hidden = target?.hidden ?? false;
  }
  const hits = found.slice(0, maxHits).map(({ element }) => linkTo(element));
  one('#hits').replaceChildren(...hits);
  one('#found').textContent = words.length === 0 ? '' : `${found.length} found`;
}

/** @param {HTMLElement} element */
function linkTo(element) {
  const link = document.createElement('a');
  link.href = `#${element.id}`;
  link.textContent = (one('h3 + p > b', element) ?? one('h3, code', element)).textContent;
  const hit = document.createElement('li');
  hit.append(link);
  return hit;
}

filter.addEventListener('input', applyFilter);
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    filter.focus();
  } else if (event.key === 'Escape' && event.target === filter) {
    filter.value = '';
    applyFilter();
  }
});

/** Shows what the address leads to, also where the filter hides it. */
function showTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.closest('[hidden]')) {
    filter.value = '';
    applyFilter();
  }
  scrollToTarget(target, 10);
}

/** Scrolls for some frames: the heights of articles are estimates until they are drawn. @param {HTMLElement | null} target @param {number} frames */
function scrollToTarget(target, frames) {
  target?.scrollIntoView();
  if (frames > 0) requestAnimationFrame(() => scrollToTarget(target, frames - 1));
}
addEventListener('hashchange', showTarget);
showTarget();
if (matchMedia('(max-width: 60rem)').matches) one('nav details').removeAttribute('open');

// --- Credentials ---

const key = /** @type {HTMLInputElement} */ (one('#key'));
const workspace = /** @type {HTMLInputElement} */ (one('#workspace'));
const standing = one('#standing');

// The tab's own storage: a key is a secret, and must not stay in the browser after the tab is closed.
key.value = sessionStorage.getItem('wes.key') ?? '';
workspace.value = sessionStorage.getItem('wes.workspace') ?? '';
function remember() {
  sessionStorage.setItem('wes.key', key.value.trim());
  sessionStorage.setItem('wes.workspace', workspace.value.trim());
}
key.addEventListener('input', remember);
workspace.addEventListener('input', remember);

/** @returns {Record<string, string>} */
function authorization() {
  return key.value.trim() === '' ? {} : { Authorization: `Bearer ${key.value.trim()}` };
}

one('#credentials').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const response = await fetch(`${apiPath}/workspaces?pageSize=100`, { headers: authorization() });
    const body = await response.json();
    if (!response.ok) {
      standing.textContent = `${response.status}: ${body.detail}`;
      return;
    }
    /** @type {{ uuid: string, name: string }[]} */
    const items = body.items;
    one('#workspaces').replaceChildren(...items.map((item) => new Option(item.name, item.uuid)));
    if (workspace.value === '') workspace.value = items[0]?.uuid ?? '';
    const current = items.find((item) => item.uuid === workspace.value);
    standing.textContent = `Accepted. Workspace: ${current?.name ?? 'none of yours'} (${items.length} in all).`;
    remember();
  } catch (error) {
    standing.textContent = String(error);
  }
});

one('#forget').addEventListener('click', () => {
  key.value = '';
  workspace.value = '';
  sessionStorage.clear();
  standing.textContent = 'Forgotten. A session cookie, if you signed in, ends with POST /sessions/…';
});

// --- Requests ---

const maxShown = 200_000;

/** @param {HTMLFormElement} form @returns {{ url: string, init: RequestInit }} */
function requestOf(form) {
  const { method = 'GET', path = '' } = form.dataset;
  /** @type {Record<string, string>} */
  const headers = authorization();
  const query = new URLSearchParams();
  const fields = new FormData();
  let target = path.replace('{workspace_uuid}', encodeURIComponent(workspace.value.trim()));
  for (const field of all('[data-in]', form)) {
    const { value, files } = /** @type {HTMLInputElement} */ (field);
    if (value === '') continue;
    const { in: place, name = '' } = field.dataset;
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'header') headers[name] = value;
    if (place === 'form') fields.append(name, files?.[0] ?? value);
    if (place === 'text' && !fields.has(name)) fields.append(name, new File([value], 'example.csv'));
    if (place === 'query') {
      const values = field instanceof HTMLTextAreaElement ? value.split('\n').filter(Boolean) : [value];
      for (const single of values) query.append(name, single);
    }
  }
  const text = /** @type {HTMLTextAreaElement | null} */ (one('textarea.body', form))?.value ?? '';
  if (text !== '') headers['Content-Type'] = 'application/json';
  const hasFile = all('[data-in=form]', form).length > 0;
  const body = hasFile ? fields : text === '' ? null : text;
  const search = query.size === 0 ? '' : `?${query}`;
  return { url: `${apiPath}${target}${search}`, init: { method, headers, body, cache: 'no-store' } };
}

/** The same request for a shell, with a variable in place of the key. @param {{ url: string, init: RequestInit }} request */
function curlOf({ url, init }) {
  const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;
  const headers = Object.entries(/** @type {Record<string, string>} */ (init.headers)).map(([name, value]) =>
    name === 'Authorization' ? '-H "Authorization: Bearer $KEY"' : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const fields =
    init.body instanceof FormData
      ? [...init.body].map(
          ([name, value]) => `-F ${quoted(`${name}=${value instanceof File ? `@${value.name}` : value}`)}`,
        )
      : [];
  const data = typeof init.body === 'string' ? [`-d ${quoted(init.body)}`] : [];
  return [
    'curl -sS',
    `-X ${init.method}`,
    ...headers,
    ...fields,
    ...data,
    quoted(location.origin + url),
  ].join(' ');
}

/** Shows an answer as it comes, and JSON with line breaks at the end. @param {Response} response @param {HTMLElement} shown */
async function showBody(response, shown) {
  const type = response.headers.get('Content-Type') ?? '';
  if (type !== '' && !/^text\/|json|xml/.test(type)) return offerFile(response, shown);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
    if (done) break;
    text += value;
    // Of a long answer the newest part is shown.
    if (text.length > maxShown) text = text.slice(-maxShown);
    shown.textContent = text;
  }
  if (/[/+]json/.test(type)) {
    shown.textContent = prettyJson(text);
  }
}

/** Bytes are saved instead of shown. @param {Response} response @param {HTMLElement} shown */
async function offerFile(response, shown) {
  const bytes = await response.blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download =
    /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'file';
  link.textContent = `Save ${link.download} (${bytes.size} bytes)`;
  shown.replaceChildren(link);
}

/** @param {string} text */
function prettyJson(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The places of request, status and answer, below the form. @param {HTMLFormElement} form */
function outputOf(form) {
  if (form.nextElementSibling?.className !== 'output') {
    form.after(document.importNode(/** @type {HTMLTemplateElement} */ (one('#output')).content, true));
    for (const shown of all('pre', /** @type {Element} */ (form.nextElementSibling))) {
      shown.ariaLabel += ` of ${form.dataset.operation}`;
    }
  }
  return /** @type {HTMLElement[]} */ ([.../** @type {Element} */ (form.nextElementSibling).children]);
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const [curl, status, body] = /** @type {[HTMLElement, HTMLElement, HTMLElement]} */ (outputOf(form));
  if (form.dataset.path?.includes('{workspace_uuid}') && workspace.value.trim() === '') {
    status.textContent = 'Not sent: enter an API key at the top, and choose Use, which finds the workspace.';
    return;
  }
  const request = requestOf(form);
  const stop = /** @type {HTMLButtonElement} */ (one('.stop', form));
  const abort = new AbortController();
  stop.onclick = () => abort.abort();
  stop.disabled = false;
  curl.textContent = curlOf(request);
  body.textContent = '';
  status.textContent = 'Sent.';
  const startedAt = performance.now();
  try {
    const response = await fetch(request.url, { ...request.init, signal: abort.signal });
    const took = Math.round(performance.now() - startedAt);
    status.textContent = `${response.status} ${response.statusText}, ${took} ms, ${response.headers.get('Content-Type') ?? 'no content'}`;
    await showBody(response, body);
  } catch (error) {
    const told = abort.signal.aborted ? 'stopped.' : `failed: ${error}`;
    status.textContent += ` ${told}`;
  } finally {
    stop.disabled = true;
  }
}

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches('.try')) return;
  event.preventDefault();
  void send(form);
});
