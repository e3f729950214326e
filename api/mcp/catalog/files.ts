import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { reads } from './annotations.js';

const list = defineTool({
  name: 'list_files',
  title: 'List files',
  description:
    'Lists the files that the caller may read, by part of the name (search), kind, folder, label or owner: what they are called, their size and whether their text can be searched. To find what is said in files, use search_files instead.',
  route: routeOf('listFiles'),
  dropped: ['data', 'cdnUrl'],
  annotations: reads,
  untrusted: true,
});

const get = defineTool({
  name: 'get_file',
  title: 'Get a file',
  description:
    'Returns what is known of one file: name, description, type, size, folder, labels and how far its text is indexed. It does not return the bytes: use search_files for passages of its text.',
  route: routeOf('getFile'),
  dropped: ['data', 'cdnUrl'],
  annotations: reads,
  untrusted: true,
});

const search = defineTool({
  name: 'search_files',
  title: 'Search passages of files and pages',
  description:
    'Finds passages in the texts of PDF, Word, text, Markdown and CSV files that the caller may read, and in the published pages of sites (pages). Use it to answer a question from the documents of the workspace: search for a few words of the answer, with words `any` if `all` finds nothing. Returns passages, the best first, each with its file and page: name both when you quote. pendingFiles above 0 means that some files have yet to be read.',
  route: routeOf('searchFiles'),
  annotations: reads,
  untrusted: true,
});

export const fileTools = [list, get, search];
