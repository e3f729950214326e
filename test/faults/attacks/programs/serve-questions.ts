/** Answers the questions of the process that started this one, one message each; ends with that process. */
export function serveQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', async (question: Question) => {
    try {
      process.send?.({ answer: await answer(question) });
    } catch (error) {
      process.send?.({ error: String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
}
