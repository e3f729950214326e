/**
 * @typedef {{ background: string, surface: string, text: string, muted: string, primary: string, onPrimary: string,
 *   link: string, border: string }} Palette
 */

const names = /** @type {const} */ ([
  'background',
  'surface',
  'text',
  'muted',
  'primary',
  'onPrimary',
  'link',
  'border',
]);

/** @param {Palette} palette */
function variables(palette) {
  const valid = names.filter((name) => /^#[0-9a-f]{6}$/i.test(palette[name]));
  return valid.map((name) => `--${name}: ${palette[name]};`).join(' ');
}

/**
 * The style sheet of the chat. It is made in script, because the policies of pages allow no inline styles.
 * @param {{ light: Palette, dark: Palette, colorScheme: string, cornerRadius: number }} theme
 */
export function styleSheet({ light, dark, colorScheme, cornerRadius }) {
  const first = colorScheme === 'dark' ? dark : light;
  const second = colorScheme === 'light' ? light : dark;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
:host { all: initial; ${variables(first)} --radius: ${Math.min(32, Math.max(0, Number(cornerRadius) || 0))}px; }
@media (prefers-color-scheme: dark) { :host { ${variables(second)} } }
*, *::before, *::after { box-sizing: border-box; }
.root { font: 16px/1.45 system-ui, sans-serif; color: var(--text); }
@media print { .root { display: none; } }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 1px solid var(--border); border-radius: var(--radius); background: var(--background);
  padding: .4em .8em; min-height: 2.75em; min-width: 2.75em; }
button:disabled { cursor: default; opacity: .6; }
button.main { background: var(--primary); color: var(--onPrimary); border-color: var(--primary); }
button:focus-visible, textarea:focus-visible, a:focus-visible, .log:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
.launcher { position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem; z-index: 2147483000; padding: .7em 1.3em;
  border-radius: 2em; box-shadow: 0 2px 10px #0006; }
.launcher .news { margin-inline-start: .5em; font-size: .85em; text-decoration: underline; }
dialog { position: fixed; inset: auto; inset-block-end: 1rem; inset-inline-end: 1rem; margin: 0; padding: 0;
  inline-size: min(26rem, calc(100vw - 2rem)); block-size: min(38rem, calc(100dvh - 2rem)); max-block-size: none;
  border: 1px solid var(--border); border-radius: calc(var(--radius) * 1.5); background: var(--background);
  color: var(--text); box-shadow: 0 4px 24px #0006; overflow: hidden; }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: #0003; }
@media (max-width: 30rem) { dialog { inset: 0; inline-size: 100vw; block-size: 100dvh; max-inline-size: none;
  border: 0; border-radius: 0; } }
@media (prefers-reduced-motion: no-preference) { dialog[open] { animation: rise .15s ease-out; }
  .typing::before { animation: blink 1s infinite alternate; } }
@keyframes rise { from { transform: translateY(1rem); opacity: 0; } }
@keyframes blink { from { opacity: .2; } }
.head { display: flex; align-items: center; gap: .5rem; padding: .5rem .75rem; background: var(--surface);
  border-block-end: 1px solid var(--border); }
h2 { flex: 1; margin: 0; font-size: 1.05em; overflow-wrap: anywhere; }
.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: .75rem; display: flex; flex-direction: column;
  gap: .6rem; }
.message { max-inline-size: 85%; align-self: flex-start; padding: .5rem .75rem; border-radius: var(--radius);
  background: var(--surface); overflow-wrap: anywhere; }
.message.own { align-self: flex-end; background: var(--primary); color: var(--onPrimary); }
.message.own a { color: inherit; }
.message.sending { opacity: .7; }
.message p, .message ul, .message ol, .message pre { margin: 0 0 .5em; white-space: pre-wrap; }
.message > :last-child, .body > :last-child { margin-block-end: 0; }
.message ul, .message ol { padding-inline-start: 1.4em; white-space: normal; }
.message pre { overflow-x: auto; }
.author { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
a { color: var(--link); }
.file { display: block; font-size: .9em; }
.failure { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin-block-start: .4rem; }
.typing { color: var(--muted); font-size: .9em; padding: 0 .75rem .4rem; }
.typing::before { content: "\\2022\\2022\\2022 "; letter-spacing: .1em; }
.notice { margin: 0; padding: .5rem .75rem; background: var(--surface); border-block-start: 1px solid var(--border);
  font-size: .95em; }
.choices { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0 .75rem .5rem; }
form, .panel { padding: .6rem .75rem; border-block-start: 1px solid var(--border); display: flex; flex-direction: column;
  gap: .5rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-end; }
.row textarea { flex: 1; min-inline-size: 8rem; }
textarea { inline-size: 100%; resize: none; border: 1px solid var(--muted); border-radius: var(--radius);
  background: var(--background); padding: .5rem; }
button.join { margin: 0 .75rem .6rem; border: 0; min-height: 2em; padding: 0; color: var(--link); text-decoration: underline; }
label.block { display: block; font-size: .95em; margin-block-end: .35rem; }
button[aria-pressed="true"] { background: var(--primary); color: var(--onPrimary); }
[hidden] { display: none !important; }
`);
  return sheet;
}
