// How many requests are under way: those whose answer is not sent to its last byte yet.

/** What tells that an answer is sent, or that nobody waits for it: a response or a stream. */
interface Answering {
  once(event: 'close', listener: () => void): unknown;
}

export class UnderWay {
  private count = 0;
  private waiting: (() => void)[] = [];

  /** Counts a request until its answer is closed. */
  add(answer: Answering): void {
    this.count += 1;
    answer.once('close', () => {
      this.count -= 1;
      if (this.count > 0) return;
      for (const resolve of this.waiting.splice(0)) resolve();
    });
  }

  /** Resolves when there is none. */
  async none(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
