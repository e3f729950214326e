import { type Html, html } from '../../http/html.js';

/**
 * A table whose rows are cards on a narrow screen. The roles stay when the style makes blocks of its parts.
 * @param rows the first cell of each names the row
 */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  return html`<table role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((name) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    ([name, ...cells]) =>
      html`<tr role="row"><th scope="row" role="rowheader">${name}</th>${cells.map(
        (cell, at) => html`<td role="cell" data-label="${columns[at + 1]}">${cell}</td>`,
      )}</tr>`,
  )}</tbody></table>`;
}

type Cell = Html | string;
