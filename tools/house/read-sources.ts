import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  isClassDeclaration,
  isExportDeclaration,
  isExpressionWithTypeArguments,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNamedExports,
  isNamedImports,
  isNamespaceImport,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeNode,
  isVariableStatement,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** A name at the top of a file; `*`: all of them. */
export interface Place {
  path: string;
  name: string;
}

/** A file of the project, as far as its imports and its declarations say. */
export interface Source {
  text: string;
  lines: number;
  /** The files that it imports or exports from, for types too. */
  imports: Set<string>;
  /** Where the values come from that it imports or passes on, by their names in this file. */
  origins: Map<string, Place>;
  /** The names that the code of a declaration mentions, by the name of the declaration. Types have none. */
  mentions: Map<string, Set<string>>;
}

/** The source files of a folder with a tsconfig.json, by their paths from there. */
export function readSources(folder: string): Map<string, Source> {
  const api = new API({ cwd: folder });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(folder, 'tsconfig.json')] });
    const files = snapshot
      .getProjects()
      .flatMap(({ program, rootFiles }) => rootFiles.map((file) => program.getSourceFile(file)))
      .filter((file) => file !== undefined);
    const paths = new Set(files.map(({ fileName }) => relative(folder, fileName)));
    return new Map(files.map((file) => [relative(folder, file.fileName), sourceOf(file, folder, paths)]));
  } finally {
    api.close();
  }
}

function sourceOf(file: SourceFile, folder: string, paths: ReadonlySet<string>): Source {
  const text = readFileSync(file.fileName, 'utf8');
  const source: Source = {
    text,
    lines: text.split('\n').length - 1,
    imports: new Set(),
    origins: new Map(),
    mentions: new Map(),
  };
  for (const statement of file.statements) {
    if (isImportDeclaration(statement) || isExportDeclaration(statement)) {
      const { moduleSpecifier } = statement;
      if (moduleSpecifier === undefined || !isStringLiteral(moduleSpecifier)) continue;
      const path = relative(folder, join(file.fileName, '..', moduleSpecifier.text)).replace(/\.js$/, '.ts');
      if (!moduleSpecifier.text.startsWith('.') || !paths.has(path)) continue;
      source.imports.add(path);
      for (const [local, name] of valuesOf(statement)) source.origins.set(local, { path, name });
    } else {
      for (const name of declaredBy(statement)) source.mentions.set(name, mentionedIn(statement));
    }
  }
  return source;
}

/** The values that a statement imports or passes on: their names here and there. */
function valuesOf(statement: Node): [string, string][] {
  if (isImportDeclaration(statement)) {
    const { importClause: clause } = statement;
    if (clause?.namedBindings === undefined || clause.phaseModifier !== undefined) return [];
    if (isNamespaceImport(clause.namedBindings)) return [[clause.namedBindings.name.text, '*']];
    return isNamedImports(clause.namedBindings) ? namesOf(clause.namedBindings.elements) : [];
  }
  if (!isExportDeclaration(statement) || statement.isTypeOnly) return [];
  const { exportClause: clause } = statement;
  return clause !== undefined && isNamedExports(clause) ? namesOf(clause.elements) : [];
}

interface Specifier {
  isTypeOnly: boolean;
  name: { text: string };
  propertyName?: { text: string };
}

function namesOf(elements: Iterable<Specifier>): [string, string][] {
  return [...elements]
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]);
}

function declaredBy(statement: Node): string[] {
  if (isFunctionDeclaration(statement) || isClassDeclaration(statement))
    return statement.name === undefined ? [] : [statement.name.text];
  if (!isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => [...mentionedIn(name)]);
}

/** The identifiers in code, without those that only name a property or a type. */
function mentionedIn(top: Node): Set<string> {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    if (isPropertyAccessExpression(node) || isExpressionWithTypeArguments(node)) visit(node.expression);
    else if (isPropertyAssignment(node)) visit(node.initializer);
    else if (isTypeNode(node) || isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return;
    else {
      if (isIdentifier(node)) names.add(node.text);
      node.forEachChild(visit);
    }
  };
  visit(top);
  return names;
}
