import { answer } from './answer/figure.js';
import { answerWhileIndexing } from './answer-while-indexing/figure.js';
import { answerWhileWaking } from './answer-while-waking/figure.js';
import { deliverWebhooks } from './deliver-webhooks/figure.js';
import { dialBesideTexts } from './dial-beside-texts/figure.js';
import { eventCost, matchedEventCost } from './event-cost/figure.js';
import { exportChatList, exportChatsMemory } from './export-chats/figure.js';
import type { Figure } from './figure.js';
import { fileBytes } from './file-bytes/figure.js';
import { firstAnswer } from './first-answer/figure.js';
import {
  createRecord,
  getFile,
  getMessages,
  getRecord,
  knownSitePage,
  listPage,
  postChats,
  sitePage,
} from './http/figures.js';
import { idleCommits, idlePass } from './idle/figure.js';
import { importMembers, importMembersLatency, importMembersMemory } from './import-members/figure.js';
import { listRecords } from './list-records/figure.js';
import { callTool, callToolAndHttp, refreshToken } from './mcp/figure.js';
import { mediaFigures } from './media/figure.js';
import { memoryOf } from './memory/figure.js';
import { reconcilePass } from './reconcile-pass/figure.js';
import { runStarts } from './run-starts/figure.js';
import { searchFiles } from './search-files/figure.js';
import { selectTask } from './select-task/figure.js';
import { selectThenCancel } from './select-then-cancel/figure.js';
import { streamDelivery, streamMemory } from './streams/figure.js';
import { widgetReady, widgetSize } from './widget/figure.js';

export const figures: readonly Figure[] = [
  getMessages,
  getRecord,
  getFile,
  listPage,
  sitePage,
  knownSitePage,
  widgetSize,
  widgetReady,
  createRecord,
  callTool,
  callToolAndHttp,
  refreshToken,
  eventCost,
  matchedEventCost,
  deliverWebhooks,
  postChats,
  runStarts,
  selectTask,
  selectThenCancel,
  reconcilePass.seconds,
  reconcilePass.calls,
  idleCommits,
  idlePass,
  answer,
  answerWhileIndexing,
  answerWhileWaking,
  dialBesideTexts,
  listRecords.few,
  listRecords.tenth,
  searchFiles.ratio,
  searchFiles.tenth,
  streamDelivery.inWindows,
  streamDelivery.inChats,
  streamMemory,
  ...mediaFigures,
  importMembers,
  importMembersLatency,
  importMembersMemory,
  exportChatList,
  exportChatsMemory,
  fileBytes.download,
  fileBytes.upload,
  fileBytes.downloadMemory,
  fileBytes.uploadMemory,
  firstAnswer,
  memoryOf('api', 200),
  memoryOf('worker', 450),
];
