/** The content of a mail, as its sender wrote it: nothing of it is trusted. */
export interface MailContent {
  /** On one line, and cut; empty without one. */
  subject: string;
  /** The whole, with what it quotes. */
  text: string;
  /** Whether text or attachments were left out because they are too many. */
  isCut: boolean;
  /** Attachments and inline pictures. */
  attachments: MailAttachment[];
  /** Parts for programs, of a report: the beginning of each, in base64. */
  reportParts: { type: string; content: string }[];
}

export interface MailAttachment {
  /** As the sender wrote it; null without one. */
  filename: string | null;
  /** As the sender says. */
  mimeType: string;
  bytes: number;
}
