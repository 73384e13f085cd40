// Types of `@aws-sdk/client-s3` that a bucket uses. They are copied here because most checkouts do
// not have the package.
import type { S3Request } from './s3-transport.ts';

/** The class of a command. */
export type MakeCommand = new (input: object) => S3Command;

/** Exports of the package. */
export interface S3Sdk {
  readonly S3Client: new (options: object) => S3Client;
  readonly ListObjectsCommand: MakeCommand;
  readonly ListObjectsV2Command: MakeCommand;
  readonly HeadObjectCommand: MakeCommand;
  readonly GetObjectCommand: MakeCommand;
  readonly PutObjectCommand: MakeCommand;
  readonly DeleteObjectCommand: MakeCommand;
  readonly CreateMultipartUploadCommand: MakeCommand;
  readonly UploadPartCommand: MakeCommand;
  readonly CompleteMultipartUploadCommand: MakeCommand;
  readonly AbortMultipartUploadCommand: MakeCommand;
}

/** A client for one server. */
export interface S3Client {
  send(command: S3Command, options: { readonly abortSignal: AbortSignal }): Promise<S3Output>;
}

/** Function that runs the remaining steps of a call. */
export type Next = (step: { readonly request: S3Request }) => unknown;

/** A call that a client can send once. */
export interface S3Command {
  readonly middlewareStack: { add(middleware: (next: Next) => Next, options: object): void };
}

/** Fields of answers, for all commands together. */
export interface S3Output {
  readonly Contents?: readonly { readonly Key?: string; readonly Size?: number }[];
  readonly CommonPrefixes?: readonly { readonly Prefix?: string }[];
  readonly IsTruncated?: boolean;
  readonly NextContinuationToken?: string;
  readonly NextMarker?: string;
  readonly ContentLength?: number;
  readonly ContentRange?: string;
  readonly Body?: AsyncIterable<Uint8Array>;
  readonly UploadId?: string;
  readonly ETag?: string;
}
