/** What a member sent longer ago is shown to a person: an answer of the agent would be out of place. */
export const answeredForMs = 4 * 3_600_000;
