import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

type Place = { workspaceId: number; chatId: number };

const { askModel, storeReply } = proxyActivities<{
  askModel(): Promise<string>;
  storeReply(place: Place, content: string): Promise<void>;
}>({ startToCloseTimeout: '10s' });

export async function floor(place: Place): Promise<void> {
  let unanswered = 0;
  setHandler(defineSignal('message'), () => {
    unanswered += 1;
  });
  for (;;) {
    await condition(() => unanswered > 0);
    unanswered -= 1;
    await storeReply(place, await askModel());
  }
}
