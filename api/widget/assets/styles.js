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
p { margin: 0; }
svg { inline-size: 1.25em; block-size: 1.25em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round; flex: none; vertical-align: -.25em; }
path[d^="M5 12h.01"] { stroke-width: 3; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 1px solid var(--muted); border-radius: var(--radius); background: var(--background);
  padding: .4em .8em; min-height: 2.75em; min-width: 2.75em; }
button:disabled { cursor: default; opacity: .6; }
button.main, button[aria-pressed="true"] { background: var(--primary); color: var(--onPrimary); border-color: var(--primary); }
button:focus-visible, textarea:focus-visible, a:focus-visible, .log:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
.log:focus-visible, .menu button:focus-visible { outline-offset: -3px; }
.launcher { position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem; z-index: 2147483000; padding: .7em 1.3em;
  border-radius: 2em; box-shadow: 0 2px 10px #0006; }
.news span:last-child { display: inline-block; margin-inline-start: .5em; padding: 0 .5em; border: 1px solid; border-radius: 1em;
  background: var(--background); color: var(--text); font-size: .9em; font-weight: 600; }
dialog { position: fixed; inset: auto; inset-block-end: 1rem; inset-inline-end: 1rem; margin: 0; padding: 0; z-index: 2147483000;
  inline-size: min(26rem, calc(100vw - 2rem)); block-size: min(38rem, calc(100dvh - 2rem)); max-block-size: none;
  border: 1px solid var(--muted); border-radius: calc(var(--radius) * 1.5); background: var(--background);
  color: var(--text); box-shadow: 0 4px 24px #0006; overflow: hidden; }
dialog[open] { display: flex; flex-direction: column; }
@media (max-width: 639.98px) { dialog { inset: 0; inline-size: 100vw; block-size: 100dvh; max-inline-size: none;
  border: 0; border-radius: 0; } }
@media (prefers-reduced-motion: no-preference) { dialog[open] { animation: rise .15s ease-out; }
  .dots i { animation: blink 1s infinite alternate; } .dots i + i { animation-delay: .2s; } }
@keyframes rise { from { transform: translateY(1rem); opacity: 0; } }
@keyframes blink { from { opacity: .2; } }
.head { position: relative; display: flex; align-items: center; gap: .5rem; padding: .5rem .75rem; background: var(--surface);
  border-block-end: 1px solid var(--border); }
h2 { flex: 1; margin: 0; font-size: 1.05em; overflow-wrap: anywhere; }
.head > button { padding: 0; }
.menu { position: absolute; inset-block-start: 100%; inset-inline-end: .75rem; z-index: 1; display: flex; flex-direction: column;
  max-inline-size: calc(100% - 1.5rem); padding: .25rem; background: var(--background); border: 1px solid var(--muted);
  border-radius: var(--radius); box-shadow: 0 4px 16px #0006; }
.menu button { border-color: transparent; text-align: start; }
.menu button:hover { background: var(--surface); }
.log { flex: 1; min-block-size: 0; overflow-y: auto; overscroll-behavior: contain; padding: .75rem; display: flex;
  flex-direction: column; }
.lines { flex: 1; display: flex; flex-direction: column; gap: .35rem; }
.toEnd { position: sticky; inset-block-end: 0; align-self: center; padding: 0; border-radius: 2em; box-shadow: 0 1px 6px #0006; }
.message { display: flex; flex-direction: column; align-items: flex-start; gap: .2rem; }
.message.own { align-items: flex-end; }
.message.begins { margin-block-start: .35rem; }
.line { align-self: center; padding: .35rem .5rem; color: var(--muted); font-size: .85em; text-align: center; }
.line.day { font-weight: 600; }
.author { display: flex; align-items: center; gap: .35em; font-size: .85em; font-weight: 600; overflow-wrap: anywhere; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
.body { max-inline-size: 85%; padding: .5rem .75rem; border: 1px solid var(--muted); border-radius: var(--radius);
  background: var(--surface); overflow-wrap: anywhere; }
.person .body { border-color: var(--primary); border-inline-start-width: 5px; background: var(--background); }
.own .body { background: var(--primary); color: var(--onPrimary); border-color: var(--primary); }
.own a { color: inherit; }
.own.unsent .body { background: var(--background); color: var(--text); border-style: dashed; }
.body p, .body ul, .body ol, .body pre { margin: 0 0 .5em; white-space: pre-wrap; }
.body > :last-child { margin-block-end: 0; }
.body ul, .body ol { padding-inline-start: 1.4em; white-space: normal; }
.body pre { overflow-x: auto; }
a { color: var(--link); }
.file { min-block-size: 44px; display: flex; align-items: center; gap: .5em; max-inline-size: 100%; margin-block-end: .3rem; text-align: start;
  font-size: .9em; text-decoration: underline; background: var(--background); color: var(--text); overflow-wrap: anywhere; }
.file:has(canvas) { flex-direction: column; align-items: flex-start; padding: .4rem; }
canvas { max-inline-size: 100%; }
.meta { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; color: var(--muted); font-size: .8em; }
.typing { display: flex; align-items: center; gap: .5em; color: var(--muted); font-size: .9em; padding: 0 .75rem .4rem; }
.dots { display: flex; gap: .2em; }
.dots i { inline-size: .4em; block-size: .4em; border: .2em solid; border-radius: 50%; }
.status { background: var(--surface); font-size: .95em; }
.status p { padding: .5rem .75rem; border-block-start: 1px solid var(--border); }
.choices { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0 .75rem .5rem; }
form, .panel { padding: .6rem .75rem; border-block-start: 1px solid var(--border); display: flex; flex-direction: column;
  gap: .5rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-end; }
.row textarea { flex: 1; min-inline-size: 8rem; }
textarea { inline-size: 100%; resize: none; border: 1px solid var(--muted); border-radius: var(--radius);
  background: var(--background); padding: .5rem; }
label.block { display: block; font-size: .95em; margin-block-end: .35rem; }
[hidden] { display: none !important; }
@media (forced-colors: active) { button[aria-pressed="true"] { border-width: 3px; } .own .body { border-width: 3px; } }
`);
  return sheet;
}
