/** A registry for packages on loopback: real tarballs, and a record of what was asked for. */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';

export interface PublishedPackage {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  os?: string[];
  bin?: Record<string, string>;
  files?: Record<string, string>;
}

export interface Registry {
  address: string;
  asked: string[];
  publish(one: PublishedPackage): void;
  serve(path: string, content: Buffer): void;
  integrity(name: string, version: string): string;
  /** Nothing is answered while it is paused. */
  pause(is: boolean): void;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers.splice(0)) server.close();
});

export async function startRegistry(packages: readonly PublishedPackage[]): Promise<Registry> {
  const published = [...packages];
  const asked: string[] = [];
  let isPaused = false;
  const others = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    if (isPaused) return request.socket.destroy();
    asked.push(path);
    const other = others.get(path);
    if (other !== undefined) return response.end(other);
    const file = published.find((one) => path === fileOf(one));
    if (file !== undefined) return response.end(tarballOf(file));
    const versions = published.filter(({ name }) => name === path);
    if (versions.length === 0) return response.writeHead(404).end('{}');
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(packument(versions, address)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const integrity = (name: string, version: string): string =>
    integrityOf(published.find((one) => one.name === name && one.version === version)!);
  return {
    address,
    asked,
    publish: (one) => void published.push(one),
    serve: (path, content) => void others.set(path, content),
    integrity,
    pause: (is: boolean) => void (isPaused = is),
  };
}

function fileOf({ name, version }: PublishedPackage): string {
  return `${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
}

function packument(versions: readonly PublishedPackage[], address: string): object {
  const { name } = versions[0]!;
  const all = versions.map((one) => {
    const { files: _files, ...manifest } = one;
    return [one.version, { ...manifest, dist: { tarball: `${address}${fileOf(one)}`, integrity: integrityOf(one) } }];
  });
  return { name, 'dist-tags': { latest: versions.at(-1)!.version }, versions: Object.fromEntries(all) };
}

function integrityOf(one: PublishedPackage): string {
  return `sha512-${createHash('sha512').update(tarballOf(one)).digest('base64')}`;
}

export function tarballOf({ files = {}, ...manifest }: PublishedPackage): Buffer {
  const all = { 'package.json': JSON.stringify({ main: 'index.js', ...manifest }), ...files };
  const parts = Object.entries(all).flatMap(([path, text]) => [
    header(`package/${path}`, Buffer.byteLength(text)),
    padded(Buffer.from(text)),
  ]);
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(path, 0);
  block.write('0000755\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('14371573074\0', 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return block;
}
