import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';

/** A certificate of its own for `localhost`; undefined where there is no openssl to make one. */
export function makeCertificate(t: Pick<Test, 'testdir'>) {
  const dir = t.testdir();
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  try {
    execFileSync('openssl', ['req', '-new', '-x509', '-days', '2', '-nodes',
      '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost',
      '-out', cert, '-keyout', key], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { cert_path: cert, key_path: key, cert: readFileSync(cert), key: readFileSync(key) };
}
