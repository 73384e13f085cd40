# Functions of many kinds. Each burns CPU time by itself, and measures how much: at the end the
# program prints it in JSON, by the name of the function and the line that burns.
#
#   functions.rb SECONDS

USED = Hash.new(0.0)
LOCK = Mutex.new
SECONDS = Float(ARGV[0])

def now
  Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)
end

# Burns CPU time, and counts it for the caller; it is on the stack of all functions.
def burn(name, line, units)
  start = now
  value = 0
  i = 0
  while i < units * 60_000
    value += i * i % 7
    i += 1
  end
  spent = now - start
  LOCK.synchronize { USED["#{name}:#{line}"] += spent }
  value
end

def plain
  burn("Object#plain", __LINE__, 4)
  burn("Object#plain", __LINE__, 2)
end

module Tools
  def grind
    burn("Tools#grind", __LINE__, 1)
  end

  def self.sharpen
    burn("Tools.sharpen", __LINE__, 1)
  end
end

class Shop
  include Tools

  def pay
    burn("Shop#pay", __LINE__, 3)
  end

  def self.close
    burn("Shop.close", __LINE__, 2)
  end

  class << self
    def list
      [1, 2].each do |_|
        [3].each { burn("block (2 levels) in Shop.list", __LINE__, 1) }
      end
    end
  end

  class Door
    def open
      burn("Shop::Door#open", __LINE__, 1)
    end
  end

  define_method(:made_by_block) { burn("block in <class:Shop>", __LINE__, 1) }

  def method_missing(name, *)
    burn("Shop#method_missing", __LINE__, 1)
  end

  def respond_to_missing?(*)
    true
  end
end

def sorted_by_key
  # The C function calls Ruby.
  [2, 1].sort_by { |value| burn("block in Object#sorted_by_key", __LINE__, 1) + value }
end

def recursive(depth)
  return burn("Object#recursive", __LINE__, 3) if depth == 0

  recursive(depth - 1) + 1
end

def in_fiber
  Fiber.new do
    Fiber.yield
    burn("block in Object#in_fiber", __LINE__, 2)
  end.then { |fiber| 2.times { fiber.resume } }
end

def enumerated
  numbers = Enumerator.new { |to| to << burn("block in Object#enumerated", __LINE__, 1) }
  numbers.next
end

def caught
  raise ArgumentError
rescue ArgumentError
  burn("rescue in Object#caught", __LINE__, 1)
end

def ensured
  1
ensure
  burn("Object#ensured", __LINE__, 1)
end

ADD = ->(units) { burn("block in <main>", __LINE__, units) }

eval("def generated\n\n  burn('Object#generated', 3, 1)\nend", binding, "(made)")

HIDDEN = Class.new do
  def hidden
    burn("hidden", __LINE__, 1)
  end
end.new

LONE = Object.new

def LONE.alone
  burn("alone", __LINE__, 1)
end

def optional(value = burn("Object#optional", __LINE__, 1))
  value
end

def with_keywords(units:, **)
  catch(:done) { throw :done, burn("block in Object#with_keywords", __LINE__, units) }
end

# A function of many lines, whose table of lines has several blocks.
LONG = (0...400).map { |i| "  a = #{i}; a += 1 if a > #{i}" }.join("\n")
eval("def long\n#{LONG}\n  burn('Object#long', 402, 1)\n  a\nend", binding, "(long)")

# CPU time of a C function itself.
NUMBERS = Array.new(30_000) { |i| i * 7919 % 30_011 }

def in_c
  start = now
  NUMBERS.sort
  spent = now - start
  LOCK.synchronize { USED["Array#sort:0"] += spent }
end

def in_thread
  thread_end = now + SECONDS / 8
  burn("Object#in_thread", __LINE__, 1) while now < thread_end
end

def main
  finish = now + SECONDS
  threads = 2.times.map { Thread.new { in_thread } }
  while now < finish
    plain
    shop = Shop.new
    shop.pay
    shop.grind
    shop.made_by_block
    shop.anything
    Tools.sharpen
    Shop.close
    Shop.list
    Shop::Door.new.open
    sorted_by_key
    recursive(200)
    in_fiber
    enumerated
    caught
    ensured
    ADD.call(1)
    generated
    HIDDEN.hidden
    LONE.alone
    optional
    with_keywords(units: 1)
    long
    in_c
  end
  threads.each(&:join)
  puts "{#{USED.map { |place, seconds| "#{place.inspect}: #{seconds}" }.join(", ")}}"
end

main
