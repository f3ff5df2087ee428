import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run in which nothing has happened for minutes, and names the files that were running: a page that is caught
 * in a loop answers nobody, and Vitest would wait for it for ever.
 */
export class StallReporter implements Reporter {
  readonly #running = new Set<TestModule>();
  #timer: NodeJS.Timeout | undefined;
  readonly #minutes: number;

  /** `minutes` is longer than any test takes. */
  constructor(minutes: number) {
    this.#minutes = minutes;
  }

  onTestRunStart(): void {
    this.#wait();
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.add(module);
    this.#wait();
  }

  onTestCaseReady(): void {
    this.#wait();
  }

  onTestCaseResult(): void {
    this.#wait();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module);
    this.#wait();
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(), this.#minutes * 60_000);
  }

  #stop(): void {
    const names = [...this.#running].map((module) => `${module.project.name} ${module.relativeModuleId}`);
    process.stderr.write(`\nNothing has happened for ${this.#minutes} minutes. Running: ${names.join(', ') || 'no file'}\n`);
    // Not by the exit code alone: an engine may keep the process.
    process.exit(1);
  }
}
