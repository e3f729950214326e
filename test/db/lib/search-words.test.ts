import { beforeAll, describe, expect, it } from 'vitest';
import { insertChat } from '../../../db/conversations/chats.js';
import { readMessageWords, selectFoundMessages } from '../../../db/conversations/message-search.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { spaceWords } from '../../../db/lib/search-words.js';
import { cutPassages } from '../../../domain/files/indexing/cut-passages.js';
import { searchFiles } from '../../../domain/files/search/search-files.js';
import { createPage } from '../../../domain/sites/pages/create-page.js';
import { publishPage } from '../../../domain/sites/pages/publish-page.js';
import { insertIndexedFile } from '../../support/files/indexed-file.js';
import { addSite, oneParagraph } from '../../support/sites/add-site.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/* Each text is said in a message, stands in a file, and is published on a page: the three searches find the same. */

const { workspace } = useWorkspace();

const texts = {
  composed: 'Frau Müller wartet im Café',
  decomposed: 'Frau Mu\u0308ller trinkt Kaffee im Cafe\u0301',
  plain: 'Frau Muller nimmt einen Kaffee im Cafe',
  sharp: 'Die Straße ist gesperrt',
  swiss: 'Die Hauptstrasse und die Strasse',
  finnish: 'Lääkäri kysyy: mikä on säde?',
  rain: 'Huomenna on sade',
  swedish: 'Läkaren på Öland',
  polish: 'Łódź i źródło',
  danish: 'Rødgrød med fløde på Ærø',
  vietnamese: 'Bệnh viện ở Việt Nam, đau đầu',
  turkish: 'İstanbul ve ISPARTA, ılık su',
  russian: 'Моя ёлка и больной зуб',
  greek: 'Ο γιατρός της Ελλάδος',
  arabic: 'المَوْعِدُ غداً في المستشفى',
  tatweel: 'مـــرحبا بالجميع',
  persian: 'كتاب علي',
  hebrew: 'שָׁלוֹם לכם',
  fullWidth: 'Ｒｅｐｏｒｔ ２０２６',
  ligature: 'A \ufb01nding of the o\ufb03ce',
  quoted: 'She said “tomorrow”—not today…',
  apostrophe: 'L’hôpital d’enfants',
  hyphen: 'The e\u2011mail and the check\u2010up',
  soft: 'An appoint\u00adment, a zero\u200bwidth\u200b space',
  halfWidth: 'ｶﾙﾃを見せてください',
  thai: 'ฉันปวดหัวมากตั้งแต่เมื่อวานและมีไข้สูง',
  thaiAm: 'กรุณานำยามาด้วย',
  lao: 'ຂ້ອຍເຈັບຫົວຫຼາຍ',
  khmer: 'ខ្ញុំឈឺក្បាលតាំងពីម្សិលមិញ',
  burmese: 'ကျွန်တော်ခေါင်းကိုက်နေတယ်',
  japanese: '予約は明日の午後三時に変更してください。MRI検査もあります',
  chinese: '我从昨天开始头疼，发烧三天了',
  rare: '𠮷野家の隣の病院',
  korean: '서울대학병원에서 전화가 왔습니다',
} as const;
type Name = keyof typeof texts;
const names = Object.keys(texts) as Name[];

beforeAll(async () => {
  const { workspaceId, member, database } = workspace;
  const site = await addSite(workspace);
  for (const name of names) {
    const text = texts[name];
    await database.inWorkspace(workspaceId, async (tx) => {
      const chat = {
        channel: 'web-chat',
        chatType: 'simple',
        memberId: member.memberId,
        title: name,
      } as const;
      const { id } = await insertChat(tx, chat);
      await insertMessage(tx, { chatId: id, role: 'user', author: 'member', content: text });
    });
    await insertIndexedFile(workspace, { title: name, pages: [{ page: 1, passages: cutPassages(text) }] });
    const { page } = await createPage(workspace.context(), site.id, {
      title: 'Page',
      slug: name.toLowerCase(),
      contentBlocks: oneParagraph(text),
    });
    await publishPage(workspace.context(), site.id, page.id);
  }
});

/** The names of the texts that each search finds, and what it marks. */
async function find(q: string, words: 'all' | 'any' = 'all') {
  const said = await workspace.within(async (tx) => {
    const found = await readMessageWords(tx, q);
    const reader = { memberId: workspace.admin.memberId, readsAll: true };
    const anywhere = { chatId: null, memberId: null, createdFrom: null, createdBefore: null, beforeId: null };
    return selectFoundMessages(tx, { words: found, reader, ...anywhere, limit: 100 });
  });
  const { passages, pagePassages } = await searchFiles(workspace.context(), { q, words, limit: 50 });
  const slugs = new Map(names.map((name) => [name.toLowerCase(), name]));
  return {
    messages: said.map(({ chatTitle }) => chatTitle as Name),
    files: passages.map(({ file }) => file.title as Name),
    pages: pagePassages.map(({ page }) => slugs.get(page.slug) as Name),
    marked: passages.flatMap(({ excerpt }) => excerpt.filter((part) => part.isFound).map(({ text }) => text)),
  };
}

const isFoundBy: [Name, string[]][] = [
  ['composed', ['Müller', 'Mu\u0308ller', 'muller', 'MÜLLER', 'MULLER', 'café', 'cafe', 'cafe\u0301']],
  ['decomposed', ['Müller', 'Mu\u0308ller', 'muller', 'café', 'CAFE']],
  ['plain', ['Müller', 'muller', 'café']],
  ['sharp', ['straße', 'strasse', 'STRASSE']],
  ['swiss', ['straße', 'hauptstraße']],
  ['finnish', ['lääkäri', 'laakari', 'säde', 'sade']],
  ['rain', ['säde', 'sade', 'SÄDE']],
  ['swedish', ['öland', 'oland', 'läkaren']],
  ['polish', ['łódź', 'lodz', 'ŁÓDŹ', 'zrodlo']],
  ['danish', ['rødgrød', 'rodgrod', 'ærø', 'aero']],
  ['vietnamese', ['bệnh viện', 'benh vien', 'dau dau', 'đau']],
  ['turkish', ['istanbul', 'İSTANBUL', 'ısparta', 'isparta', 'ilik', 'ılık']],
  ['russian', ['ёлка', 'елка', 'ЁЛКА', 'больной']],
  ['greek', ['γιατρος', 'ΓΙΑΤΡΟΣ', 'ελλαδος']],
  ['arabic', ['الموعد', 'غدا', 'المَوْعِدُ']],
  ['tatweel', ['مرحبا']],
  ['persian', ['کتاب', 'علی', 'كتاب']],
  ['hebrew', ['שלום']],
  ['fullWidth', ['report', '2026', 'ｒｅｐｏｒｔ']],
  ['ligature', ['finding', 'office']],
  ['quoted', ['tomorrow', 'today', '“tomorrow”', '"said tomorrow"', '“said tomorrow”']],
  ['apostrophe', ["l'hôpital", 'hopital', 'l’hopital', 'enfants']],
  ['hyphen', ['e-mail', 'check-up', 'e‑mail']],
  ['soft', ['appointment', 'zerowidth', 'appoint\u00adment']],
  ['halfWidth', ['カルテ', 'ｶﾙﾃ', 'ルテ']],
  ['thai', ['ปวดหัว', 'หัว', 'เมื่อวาน', 'ไข้', 'ไข้สูง', 'ปวดหัว ไข้', 'ปวดหัวไข้', '"ปวดหัวมาก"', 'ฉัน']],
  ['thaiAm', ['นำ', 'ยา', 'นำยา', 'น\u0e4d\u0e32ยา']],
  ['lao', ['ເຈັບຫົວ', 'ຫົວ', 'ຫຼາຍ']],
  ['khmer', ['ឈឺក្បាល', 'ក្បាល', 'ម្សិលមិញ']],
  ['burmese', ['ခေါင်းကိုက်']],
  ['japanese', ['明日', '午後', '予約', '予約の変更', '検査', 'MRI検査', 'mri', '三', '変更してください']],
  ['chinese', ['头疼', '发烧', '昨天', '头疼发烧', '烧', '"开始头疼"']],
  ['rare', ['𠮷野家', '病院', '野家']],
  ['korean', ['병원', '대학병원', '전화', '전화가']],
];

describe.each(isFoundBy)('the text %s', (name, queries) => {
  it.each(queries)('is found by %s in messages, files and pages, and has words marked', async (query) => {
    const { messages, files, pages, marked } = await find(query);
    expect(messages).toContain(name);
    expect(files).toContain(name);
    expect(pages).toContain(name);
    expect(marked.length).toBeGreaterThanOrEqual(files.length);
  });
});

describe('what is not said', () => {
  it.each([
    ['"ปวดมาก"', 'thai'],
    ['"ปวดหัว ไข้สูง"', 'thai'],
    ['"明後"', 'japanese'],
    ['-明日 予約', 'japanese'],
    ['"头烧"', 'chinese'],
    ['-öland läkaren', 'swedish'],
    ['-oland läkaren', 'swedish'],
    ['원병', 'korean'],
    ['mull', 'thai'],
  ] as [string, Name][])('is not found: %s in %s', async (query, name) => {
    const { messages, files, pages } = await find(query);
    expect([messages, files, pages].flat()).not.toContain(name);
  });
});

describe('a word with accents and one without', () => {
  it.each([
    ['säde', 'finnish', 'rain'],
    ['sade', 'rain', 'finnish'],
    ['SÄDE', 'finnish', 'rain'],
    ['straße', 'sharp', 'swiss'],
    ['strasse', 'swiss', 'sharp'],
  ] as [string, Name, Name][])(
    'find each other, the one that is written first: %s',
    async (query, first, second) => {
      const { messages, pages, files } = await find(query);
      expect(pages).toEqual([first, second]);
      // The newest first.
      expect(messages).toEqual(names.filter((name) => [first, second].includes(name)).toReversed());
      expect(files.toSorted()).toEqual([first, second].toSorted());
      // German words are searched without their accents anyway.
      if (!query.startsWith('stra')) expect(files).toEqual([first, second]);
    },
  );
});

it('any of the words of a sentence without spaces finds what has some', async () => {
  const { files } = await find('ปวดหัวควรทำอย่างไร', 'any');
  expect(files).toContain('thai');
  expect(files).not.toContain('japanese');
});

it('the words that are found are marked in the text as it stands', async () => {
  expect((await find('muller')).marked.sort()).toEqual(['Muller', 'Müller', 'Müller']);
  expect((await find('ปวดหัว')).marked).toEqual(['ปวดหัว']);
  expect((await find('頭痛 or 午後')).marked).toEqual(['午後']);
  expect((await find('ｍｒｉ検査')).marked).toEqual(['MRI', '検査']);
});

it.each([
  ['ปวดหัวทำอย่างไร', 'ปวดหัว ทำ อย่างไร'],
  ['予約は明日', '予約 明日'],
  ['"予約は明日" の', '"予約は明日" の'],
  ['-头疼 发烧了', '-头疼 发烧'],
  ["don't e-mail a@example.org or -b", "don't e-mail a@example.org or -b"],
  ['', ''],
])('the words of a query without spaces are told apart: %s', (query, spaced) => {
  if (query.startsWith('ปวด')) expect(spaceWords(query).replace(/ /g, '')).toBe(query);
  else expect(spaceWords(query)).toBe(spaced);
});
