<?php
// Functions of many kinds. Each burns CPU time by itself, and measures how much: at the end the
// program prints it in JSON, by the name of the function and the line that burns.
//
//   functions.php SECONDS       or, for a web server, functions.php?seconds=SECONDS

$used = [];

function now(): float
{
    $usage = getrusage();

    return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']
        + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
}

// Burns CPU time, and counts it for the caller; it is on the stack of all functions.
function burn(string $name, int $line, int $units): int
{
    global $used;
    $start = now();
    $value = 0;
    for ($i = 0; $i < $units * 60000; $i++) {
        $value += $i * $i % 7;
    }
    $place = "$name:$line";
    $used[$place] = ($used[$place] ?? 0) + now() - $start;

    return $value;
}

function plain(): void
{
    burn('plain', __LINE__, 4);
    burn('plain', __LINE__, 2);
}

trait Tools
{
    public function grind(): void
    {
        burn('Shop::grind', __LINE__, 1);
    }
}

class Shop
{
    use Tools;

    public function __construct()
    {
        burn('Shop::__construct', __LINE__, 1);
    }

    public function pay(): void
    {
        burn('Shop::pay', __LINE__, 3);
    }

    public static function close(): void
    {
        burn('Shop::close', __LINE__, 2);
    }

    public function listed(): array
    {
        $name = closureName('Shop', 'listed', __LINE__ + 1);
        return array_map(function (int $value) use ($name): int {
            return burn($name, __LINE__, 1) + $value;
        }, [1, 2]);
    }

    public function __call(string $name, array $arguments): void
    {
        burn('Shop::__call', __LINE__, 1);
    }

    public function __get(string $name): int
    {
        return burn('Shop::__get', __LINE__, 1);
    }

    public function __destruct()
    {
        burn('Shop::__destruct', __LINE__, 1);
    }
}

class Door extends Shop
{
    public function __construct()
    {
        parent::pay();
    }

    public function __destruct()
    {
    }
}

// From PHP 8.4 on, the name of a closure contains its place.
function closureName(string $class, string $function, int $line): string
{
    if (PHP_VERSION_ID < 80400) {
        return $class === '' ? '{closure}' : "$class::{closure}";
    }

    return '{closure:' . ($class === '' ? '' : "$class::") . "$function():$line}";
}

function sortedByKey(): void
{
    // The C function calls PHP.
    $name = closureName('', __FUNCTION__, __LINE__ + 2);
    $values = [2, 1];
    usort($values, function (int $one, int $other) use ($name): int {
        return burn($name, __LINE__, 2) + $one <=> $other;
    });
}

function recursive(int $depth): int
{
    if ($depth === 0) {
        return burn('recursive', __LINE__, 3);
    }

    return recursive($depth - 1) + 1;
}

function generated(): iterable
{
    yield burn('generated', __LINE__, 1);
    yield from between();
}

function between(): iterable
{
    yield from inner();
}

function inner(): iterable
{
    yield burn('inner', __LINE__, 1);
}

function inFiber(): void
{
    if (!class_exists('Fiber')) {
        return;
    }
    $name = closureName('', __FUNCTION__, __LINE__ + 1);
    $fiber = new Fiber(function () use ($name): void {
        Fiber::suspend();
        burn($name, __LINE__, 2);
    });
    $fiber->start();
    $fiber->resume();
}

function caught(): void
{
    try {
        throw new LogicException();
    } catch (LogicException $error) {
        burn('caught', __LINE__, 1);
    } finally {
        burn('caught', __LINE__, 1);
    }
}

function variadic(int ...$units): void
{
    array_walk($units, 'walked');
}

function walked(int $units): void
{
    burn('walked', __LINE__, $units);
}

eval("function evaluated(): void\n{\n    burn('evaluated', 3, 1);\n}");

$ofFile = PHP_VERSION_ID < 80400 ? '{closure}' : '{closure:' . __FILE__ . ':' . (__LINE__ + 1) . '}';
$add = fn (int $units): int => burn($ofFile, __LINE__, $units);

$hidden = new class () {
    public function hidden(): void
    {
        burn('class@anonymous::hidden', __LINE__, 1);
    }
};

// CPU time of a C function itself.
$numbers = [];
for ($i = 0; $i < 30000; $i++) {
    $numbers[] = $i * 7919 % 30011;
}

function inC(array $numbers): void
{
    global $used;
    $start = now();
    sort($numbers);
    $used['sort:0'] = ($used['sort:0'] ?? 0) + now() - $start;
}

// The line that runs while the loop of the interpreter calls nothing, or C functions only.
function worked(): int
{
    for ($i = 0, $text = ''; $i < 20000; $i++) $text .= $i % 10; return __LINE__;
}

function working(): void
{
    global $used;
    $start = now();
    $place = 'worked:' . worked();
    $used[$place] = ($used[$place] ?? 0) + now() - $start;
}

function main(float $seconds, Closure $add, object $hidden, array $numbers): void
{
    $finish = now() + $seconds;
    while (now() < $finish) {
        plain();
        $shop = new Shop();
        $shop->pay();
        $shop->grind();
        $shop->listed();
        $shop->anything();
        $shop->missing;
        unset($shop);
        Shop::close();
        new Door();
        sortedByKey();
        recursive(200);
        foreach (generated() as $value) {
        }
        inFiber();
        caught();
        variadic(1, 1);
        evaluated();
        $add(1);
        $hidden->hidden();
        inC($numbers);
        working();
    }
}

main((float) ($argv[1] ?? $_GET['seconds']), $add, $hidden, $numbers);
burn('functions.php', __LINE__, 3);
echo json_encode($used), "\n";
