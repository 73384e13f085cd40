import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testProcess } from '../testing/samples.ts';
import { ProcFolder } from './proc-folder.ts';
import { scriptName } from './script-name.ts';
import { foundServiceName, givenServiceName } from './service-name.ts';

test('a script has its name, by the command line of its interpreter', () => {
  const check = (want: string | undefined, line: string, folder = '/srv/shop'): void => {
    const words = line.split(' ');
    assert.equal(
      scriptName(words[0], words, () => folder),
      want,
      line,
    );
  };
  check('app', 'python3 app.py');
  check('app', 'python3.11 -u -X dev -W ignore /srv/app.py --port 80');
  check('http.server', 'python -m http.server 8000');
  check('gunicorn', 'python3 /usr/bin/gunicorn shop.wsgi:app');
  check('manage', 'python manage.py runserver');
  check(undefined, 'python3 -c print(1)');
  check(undefined, 'python3');
  check('shop', 'python3 -u __main__.py');
  check('server2', 'node --require ./trace.js --max-old-space-size=4096 server2.mjs');
  check('shop', 'node dist/index.js');
  check('cart', 'node /app/cart/dist/main.js');
  check('shop', 'node .', '/srv/shop');
  check('main', 'node main.js', '/');
  check(undefined, 'node -e 1');
  check('x', 'java -jar x.jar');
  check('shop-api', 'java -Xmx1g -jar /opt/shop-api-1.4.2-SNAPSHOT.jar --server.port=1');
  check('org.example.Main', 'java -cp a.jar:b.jar -Dx=y org.example.Main run');
  check('worker', 'ruby -I lib worker.rb');
  check('puma', 'ruby3.1 /usr/bin/puma -p 3000');
  check('artisan', 'php artisan queue:work');
  check('job', 'perl -w job.pl');
  check('backup', 'bash /etc/cron/backup.sh');
  check(undefined, 'sh -c sleep 1');
  check('Shop', 'dotnet Shop.dll');
  check(undefined, 'nginx -g x');
});

test('OpenTelemetry gives a name by either variable', () => {
  const given = (variables: Record<string, string>): string =>
    givenServiceName(new Map(Object.entries(variables)));
  const attributes = 'deployment.environment=a, service.name=my%20shop ,x=y';
  assert.equal(given({ OTEL_SERVICE_NAME: 'cart', OTEL_RESOURCE_ATTRIBUTES: attributes }), 'cart');
  assert.equal(given({ OTEL_SERVICE_NAME: '', OTEL_RESOURCE_ATTRIBUTES: attributes }), 'my shop');
  assert.equal(given({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=50%' }), '50%');
  assert.equal(given({ OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=a' }), '');
});

test('else a container, a unit, a package, a script, the executable or the process names it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parca-proc-'));
  mkdirSync(join(folder, '7'));
  mkdirSync(join(folder, 'shop'));
  symlinkSync(join(folder, 'shop'), join(folder, '7/cwd'));
  writeFileSync(join(folder, 'shop/package.json'), '{"name": "@acme/shop"}');
  const proc = new ProcFolder(folder);
  const check = (
    want: string,
    { container = '', units = ['', ''], variables = {}, ...given }: Partial<Given>,
  ): void => {
    const environment = new Map(Object.entries(variables));
    const process = testProcess({ pid: 7, name: 'MainThread', executable: '/bin/node', ...given });
    assert.equal(foundServiceName(process, { environment, proc, container, units }), want);
  };
  interface Given {
    readonly container: string;
    readonly units: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
    readonly commandLine: readonly string[];
    readonly executable: string;
    readonly name: string;
  }
  const script = { commandLine: ['node', 'index.js'] };
  check('web', { ...script, container: 'web', units: ['a.service', ''] });
  check('parca', { ...script, units: ['parca.service', ''] });
  check('syncthing', { ...script, units: ['user@1000.service', 'syncthing.service'] });
  check('shop', { ...script, units: ['session-3.scope', ''] });
  check('shop', { ...script, units: ['user@1000.service', 'app-gnome-1.scope'] });
  check('cart', { ...script, variables: { npm_package_name: 'cart' } });
  check('@acme/shop', { commandLine: ['npm start'] });
  check('node', { commandLine: ['node'] });
  check('nginx', { executable: '/usr/sbin/nginx', commandLine: ['nginx: worker process'] });
  check('kswapd0', { executable: '', name: 'kswapd0', commandLine: [] });
  check('unknown_service', { executable: '', commandLine: [] });
  check('unknown_service', { executable: '', commandLine: [], name: 'node-MainThread' });
  writeFileSync(join(folder, 'shop/package.json'), '{');
  check('node', { commandLine: ['npm start'] });
  rmSync(folder, { recursive: true });
});
