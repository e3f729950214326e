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

/**
 * @param {Node | string} content @param {() => void} act
 * @param {Record<string, string | boolean | undefined>} [attributes]
 */
export function button(content, act, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, [content]);
  made.addEventListener('click', act);
  return made;
}

/** A button that shows an icon alone. @param {keyof typeof shapes} name @param {string} label @param {() => void} act */
export function iconButton(name, label, act) {
  return button(icon(name), act, { 'aria-label': label, title: label });
}

const shapes = {
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4L14.5 7',
  file: 'M14 3H6v18h12V7zv4h4',
  agent: 'M5 9h14v10H5zM12 9V5M9 13v2M15 13v2',
  person: 'M12 12a4 4 0 1 0 0-8a4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0',
  down: 'M12 5v14M6 13l6 6l6-6',
};

/** @param {keyof typeof shapes} name */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const made = document.createElementNS(space, 'svg');
  made.setAttribute('viewBox', '0 0 24 24');
  made.setAttribute('aria-hidden', 'true');
  const path = made.appendChild(document.createElementNS(space, 'path'));
  path.setAttribute('d', shapes[name]);
  return made;
}
