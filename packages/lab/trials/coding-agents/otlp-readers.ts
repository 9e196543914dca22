import { execFile, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

export interface ReadSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
}

export type Reader = (exported: { type: string; body: Buffer }) => Promise<ReadSpan[]>;

/** The last release of this package that contains OpenTelemetry's .proto files. */
const DEFINITIONS = '@opentelemetry/otlp-grpc-exporter-base@0.35.0';
const PROTOBUFJS = 'protobufjs@7.5.4';
const SERVICE = 'opentelemetry/proto/collector/trace/v1/trace_service.proto';
const MESSAGE = 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest';

interface Message {
  resourceSpans: {
    scopeSpans: {
      spans: { traceId: Buffer; spanId: Buffer; parentSpanId: Buffer; name: string }[];
    }[];
  }[];
}

/** Returns two independent readers: protobufjs, and Google's protoc (Debian: protobuf-compiler). */
export async function installReaders(folder: string): Promise<[Reader, Reader]> {
  await mkdir(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--legacy-peer-deps'];
  await promisify(execFile)('npm', [...args, '--ignore-scripts', DEFINITIONS, PROTOBUFJS]);
  const modules = join(folder, 'node_modules');
  const protos = join(modules, '@opentelemetry/otlp-grpc-exporter-base/build/protos');
  const { Root } = createRequire(join(modules, 'x.js'))('protobufjs');
  const root = new Root();
  root.resolvePath = (_from: string, file: string) =>
    file.startsWith(protos) ? file : join(protos, file);
  const type = (await root.load(join(protos, SERVICE))).lookupType(MESSAGE);

  const bytesOf = ({ type: contentType, body }: { type: string; body: Buffer }): Buffer =>
    contentType.includes('json')
      ? type.encode(type.fromObject(JSON.parse(body.toString(), idsToBase64))).finish()
      : body;

  const byProtobufjs: Reader = async (exported) => {
    const { resourceSpans } = type.decode(bytesOf(exported)) as Message;
    return resourceSpans
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      .map(({ traceId, spanId, parentSpanId, name }) => ({
        traceId: traceId.toString('hex'),
        spanId: spanId.toString('hex'),
        parentSpanId: Buffer.from(parentSpanId).toString('hex'),
        name,
      }));
  };
  const byProtoc: Reader = async (exported) => {
    const child = spawn('protoc', ['-I', protos, `--decode=${MESSAGE}`, SERVICE]);
    child.stdin.end(bytesOf(exported));
    const decoded = await text(child.stdout);
    return [...decoded.matchAll(/^ {4}spans \{\n([\s\S]*?)^ {4}\}$/gm)].map(([, block = '']) => {
      const read = (field: string) =>
        bytesOfText(new RegExp(`^ {6}${field}: "(.*)"$`, 'm').exec(block)?.[1] ?? '');
      return {
        traceId: read('trace_id').toString('hex'),
        spanId: read('span_id').toString('hex'),
        parentSpanId: read('parent_span_id').toString('hex'),
        name: read('name').toString('utf8'),
      };
    });
  };
  return [byProtobufjs, byProtoc];
}

/** Converts ids to Protobuf's JSON form, because OTLP in JSON writes hexadecimal digits. */
function idsToBase64(key: string, value: unknown): unknown {
  if (!/^(?:traceId|spanId|parentSpanId)$/.test(key)) return value;
  return Buffer.from(String(value), 'hex').toString('base64');
}

const LETTERS: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

function bytesOfText(escaped: string): Buffer {
  const plain = escaped.replace(/\\(?:([0-7]{3})|(.))/g, (_all, octal, letter) =>
    octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (LETTERS[letter] ?? letter),
  );
  return Buffer.from(plain, 'latin1');
}
