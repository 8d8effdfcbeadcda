/** What is wrong with a document, and what to do; the message is for the operator who gave it. */
export class DocumentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DocumentError';
  }
}
