import { pdfOf } from '../../../test/support/files/pdf.js';
import { median } from '../../../test/support/lib/statistics.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addFile, storageFolderOf } from '../support/add-file.js';
import { addAssistant } from '../support/ask.js';
import { countRows } from '../support/count.js';
import { medianAnswerByApi } from '../support/median-answer.js';

const pagesOfPdf = 10;
const quietRounds = 5;

/** The time from a member's message to the agent's stored reply while the same worker reads the texts of many files. */
export const answerWhileIndexing: Figure = {
  name: 'answer-while-indexing',
  title: 'Message to stored reply while 1,000 PDFs are indexed, p50',
  unit: 'ms',
  target: { ratioAtMost: 2 },
  async prepare(stage, { operations, pdfs }) {
    const assistantMemberId = await addAssistant(stage);
    const env = { STORAGE_FOLDER: storageFolderOf(stage) };
    const [api] = await Promise.all([stage.startApi({ env }), stage.startWorker({ env })]);
    const answers = () => medianAnswerByApi(stage, api, assistantMemberId, operations);
    const quiet: number[] = [];
    for (let round = 0; round < quietRounds; round += 1) quiet.push(await answers());
    await addPdfs(stage, pdfs);
    return {
      floor: async () => median(quiet),
      measured: async () => {
        const measured = await answers();
        if ((await countRows(stage, "from file_versions where indexing_state = 'pending'")) === 0)
          throw new Error('the files were indexed before the last answer');
        return measured;
      },
    };
  },
};

async function addPdfs(stage: Stage, count: number): Promise<void> {
  const words = 'Drink enough water, rest, and call the clinic if the fever does not go down. '.repeat(20);
  for (let number = 0; number < count; number += 1) {
    const pages = Array.from(
      { length: pagesOfPdf },
      (_, at) => `Leaflet ${number}, page ${at + 1}. ${words}`,
    );
    await addFile(stage, { filename: `leaflet-${number}.pdf`, content: pdfOf(pages) });
  }
}
