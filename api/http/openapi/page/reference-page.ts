import { type Html, html } from '../../html.js';
import { introduction, scopeTable } from '../../openapi.js';
import type { OpenApiDocument, OpenApiOperation } from '../document.js';
import { inlineMarkdown, markdown } from './markdown.js';
import { linkOf, operationView } from './operations.js';
import { type Schema, SchemaViews } from './schemas.js';

interface Entry {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

/**
 * The reference as one page. All text is in it from the start, so that the browser's own search finds it, with or
 * without the script, which adds a filter and sends requests.
 */
export function referencePage(document: OpenApiDocument): string {
  const schemas = new SchemaViews(document.components.schemas as Record<string, Schema>, document);
  const entries = entriesOf(document);
  const groups = document.tags.map(({ name, description }) => {
    return { name, description, entries: entries.filter(({ operation }) => operation.tags[0] === name) };
  });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workspace Engagement Service API</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/page.css">
<script src="docs/page.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
${header}
<nav aria-label="Operations"><details open><summary>Contents</summary>
<ol id="hits" aria-label="Best matches"></ol>
<ul><li><a href="#/introduction">Introduction</a></li>${groups.map(groupLinks)}
<li><a href="#/errors">Error codes</a></li><li><a href="#/scopes">Scopes and permissions</a></li><li><a href="#/schemas">Schemas</a></li></ul></details></nav>
<main id="main" tabindex="-1">
<section id="/introduction"><h2>Introduction</h2>${markdown(introduction)}
<p>The same as a document for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p></section>
${groups.map(
  (
    group,
  ) => html`<section id="/${encodeURIComponent(group.name)}"><h2>${group.name}</h2><p>${group.description}</p>
${group.entries.map(({ operation, ...at }) => operationView(operation, at, schemas))}</section>\n`,
)}
${errorTable(document)}
<section id="/scopes">${markdown(scopeTable.replace('###', '##'))}</section>
<section id="/schemas"><h2>Schemas</h2><p>What several operations have in common.</p>
${schemas.places()}</section>
</main>
<template id="output"><div class="output"><pre tabindex="0" role="region" aria-label="Request"></pre>
<p role="status"></p><pre tabindex="0" role="region" aria-label="Answer"></pre></div></template>
</body>
</html>
`.text;
}

const header = html`<header>
<h1>Workspace Engagement Service API</h1>
<form id="credentials" aria-label="Authorization">
<label>API key <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="wes_…"></label>
<label>Workspace <input id="workspace" list="workspaces" autocomplete="off" spellcheck="false" placeholder="workspace_uuid"></label>
<datalist id="workspaces"></datalist>
<button type="submit">Use</button> <button type="button" id="forget">Forget</button>
<span id="standing" role="status">Kept in this tab until you close it or choose Forget.</span>
</form>
<search><label>Search <input id="filter" type="search" placeholder="words of a path, a text or a field ( / )"></label>
<span id="found" role="status"></span></search>
</header>`;

function entriesOf({ paths, webhooks }: OpenApiDocument): Entry[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const events = Object.entries(webhooks).map(([eventType, { post }]) => {
    return { method: 'WEBHOOK', path: eventType, operation: post };
  });
  return [...operations, ...events];
}

function groupLinks({ name, entries }: { name: string; entries: readonly Entry[] }): Html {
  const links = entries.map(
    ({ method, operation }) =>
      html`<li><a href="#${linkOf(operation)}"><b class="${method.toLowerCase()}">${method}</b> ${operation.summary}</a></li>`,
  );
  return html`<li><a href="#/${encodeURIComponent(name)}">${name}</a><ul>${links}</ul></li>\n`;
}

/** Every code of an error answer, with one place for each status. */
function errorTable(document: OpenApiDocument): Html {
  const codes = document['x-error-codes'];
  const first = (index: number) => codes[index]?.status !== codes[index - 1]?.status;
  const rows = codes.map(({ status, code, meaning }, index) => {
    const place = first(index) ? html` id="/errors/${status}"` : undefined;
    return html`<tr id="/errors/${code}"><td${place}>${status}</td><td><code>${code}</code></td><td>${inlineMarkdown(meaning)}</td></tr>\n`;
  });
  return html`<section id="/errors"><h2>Error codes</h2>
<p>Every <code>code</code> that an error answer can have.</p>
<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}
