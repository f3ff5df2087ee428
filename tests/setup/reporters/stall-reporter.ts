import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run without progress and names the running files. Vitest would wait forever for a page in an endless loop.
 */
export class StallReporter implements Reporter {
  readonly #running = new Set<TestModule>();
  #timer: NodeJS.Timeout | undefined;
  readonly #minutes: number;

  /** `minutes` must be longer than any test. */
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
    process.stderr.write(`\nNo progress for ${this.#minutes} minutes. Running: ${names.join(', ') || 'no file'}\n`);
    // Exits explicitly, as an engine may keep the process alive.
    process.exit(1);
  }
}
