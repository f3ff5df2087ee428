import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../browsers/patience.ts';

/** Runs a script of a folder's package, which starts a server at a free port, until the end of the test. Returns the server's address. */
export async function startServer(folder: string, script: string, options: (port: number) => readonly string[] = () => []): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', HOSTNAME: '127.0.0.1', PORT: String(port) };
  // In a process group of its own, which npm shares with the server.
  const server: ChildProcess = spawn('npm', ['run', script, '--', ...options(port)], { cwd: folder, env, stdio: 'ignore', detached: true });
  const ended = once(server, 'exit');
  onTestFinished(async () => {
    process.kill(-server.pid!);
    await ended;
  });
  const url = `http://127.0.0.1:${port}/`;
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => server.exitCode ?? false,
        ),
      { timeout: PATIENCE_MS },
    )
    .toBe(true);
  return url;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
