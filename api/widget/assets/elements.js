/**
 * Makes an element. Texts become text, never markup.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | boolean | number | undefined>} [attributes] false and undefined: without it
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, children = []) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(attribute, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/** @param {string} text @param {() => void} act @param {Record<string, string | boolean | undefined>} [attributes] */
export function button(text, act, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, [text]);
  made.addEventListener('click', act);
  return made;
}
