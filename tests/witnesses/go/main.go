// Writes values with Go's libraries, and reads values that Unspool has written. See ../run.ts.
//
//	go run . make FORMAT SEED COUNT   a header, then a line with bytes and their value for each case
//	go run . read                     as ../python/read_back.py
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/vmihailenco/msgpack/v5"
	"go.mongodb.org/mongo-driver/v2/bson"
)

const longest = 400

var (
	texts    = []string{"", "a", "naïve", "日本", "😀", strings.Repeat("x", 40), "\x00", "__proto__", "12", "line\nline", "\"\\", "ſ", "\ufeff", strings.Repeat("é", 70)}
	integers = []int64{0, 1, 2, 23, 24, 127, 128, 255, 256, 16383, 16384, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<53 - 1, 1 << 53, math.MaxInt64}
	floats   = []float64{0, math.Copysign(0, -1), 1.5, -1, 0.1, 1e300, 5e-324, math.Inf(1), math.Inf(-1), math.NaN(), 3.4028234663852886e38, 1e-46}
	modules  = map[string]string{
		"messagepack": "github.com/vmihailenco/msgpack/v5",
		"cbor":        "github.com/fxamacker/cbor/v2",
		"bson":        "go.mongodb.org/mongo-driver/v2",
		"json":        "encoding/json",
	}
)

type maker struct {
	*rand.Rand
	format string
}

func (m maker) text() string {
	if m.Intn(2) == 0 {
		return texts[m.Intn(len(texts))]
	}
	runes := make([]rune, m.Intn(12))
	for i := range runes {
		runes[i] = []rune{rune(32 + m.Intn(95)), rune(0xA0 + m.Intn(0x760)), rune(0x1F300 + m.Intn(0x300))}[m.Intn(3)]
	}
	return string(runes)
}

func (m maker) value(depth int) any {
	kinds := 11
	if depth > 3 {
		kinds = 8
	}
	switch m.Intn(kinds) {
	case 0:
		return nil
	case 1:
		return m.Intn(2) == 0
	case 2, 3:
		value := m.Int63() >> m.Intn(63)
		if m.Intn(2) == 0 {
			value = integers[m.Intn(len(integers))]
		}
		if m.Intn(3) == 0 {
			value = -value - 1
		}
		return value
	case 4:
		if m.format == "json" {
			return m.NormFloat64() * 1e6
		}
		if m.Intn(2) == 0 {
			return floats[m.Intn(len(floats))]
		}
		return m.NormFloat64() * 1e6
	case 5:
		return m.text()
	case 6:
		if m.format == "json" {
			return m.text()
		}
		bytes := make([]byte, []int{0, 1, 5, 40}[m.Intn(4)])
		m.Read(bytes)
		return bytes
	case 7:
		if m.format == "json" || m.format == "cbor" {
			return m.Float64()
		}
		return time.UnixMilli(m.Int63n(1<<44) - 1<<43).UTC()
	case 8:
		items := make([]any, []int{0, 1, 3, 17}[m.Intn(4)])
		for i := range items {
			items[i] = m.value(depth + 1)
		}
		return items
	default:
		return m.object(depth + 1)
	}
}

func (m maker) object(depth int) map[string]any {
	object := map[string]any{}
	for count := []int{0, 1, 3, 17}[m.Intn(4)]; count > 0; count-- {
		key := m.text()
		if m.format == "bson" {
			key = strings.ReplaceAll(key, "\x00", "")
		}
		object[key] = m.value(depth)
	}
	return object
}

func encode(format string, value any) ([]byte, error) {
	switch format {
	case "messagepack":
		return msgpack.Marshal(value)
	case "cbor":
		return cbor.Marshal(value)
	case "bson":
		return bson.Marshal(value)
	default:
		return json.Marshal(value)
	}
}

func decode(format string, data []byte) (any, error) {
	var value any
	var err error
	switch format {
	case "messagepack":
		err = msgpack.Unmarshal(data, &value)
	case "cbor":
		mode, failed := cbor.DecOptions{DefaultMapType: nil, MaxNestedLevels: 64}.DecMode()
		if failed != nil {
			return nil, failed
		}
		err = mode.Unmarshal(data, &value)
	case "bson":
		var document bson.M
		err = bson.Unmarshal(data, &document)
		value = document
	default:
		err = json.Unmarshal(data, &value)
	}
	return value, err
}

// tagged converts a value to its form in cases: values that JSON lacks are objects with one key that begins with a dollar sign.
func tagged(value any) any {
	switch v := value.(type) {
	case int64:
		if v > 1<<53 || v < -(1<<53) {
			return map[string]any{"$bigint": strconv.FormatInt(v, 10)}
		}
		return v
	case float64:
		if math.IsNaN(v) {
			return map[string]any{"$number": "NaN"}
		}
		if math.IsInf(v, 0) {
			return map[string]any{"$number": map[bool]string{true: "Infinity", false: "-Infinity"}[v > 0]}
		}
		if v == 0 && math.Signbit(v) {
			return map[string]any{"$number": "-0"}
		}
		return v
	case []byte:
		return map[string]any{"$bytes": hex.EncodeToString(v)}
	case time.Time:
		return map[string]any{"$date": v.UnixMilli()}
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = tagged(item)
		}
		return items
	case map[string]any:
		object := map[string]any{}
		for key, item := range v {
			object[key] = tagged(item)
		}
		return object
	default:
		return value
	}
}

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case int8:
		return float64(v), true
	case int16:
		return float64(v), true
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint8:
		return float64(v), true
	case uint16:
		return float64(v), true
	case uint32:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float32:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// same reports whether values are equal; an integer equals the float of its value, as in JavaScript.
func same(one, other any) bool {
	if a, is := number(one); is {
		b, are := number(other)
		return are && (a == b && math.Signbit(a) == math.Signbit(b) || math.IsNaN(a) && math.IsNaN(b))
	}
	if a, is := one.(bson.D); is {
		b, are := other.(bson.D)
		if !are || len(a) != len(b) {
			return false
		}
		// JavaScript puts integer keys first.
		for _, field := range a {
			found := slices.IndexFunc(b, func(other bson.E) bool { return other.Key == field.Key })
			if found < 0 || !same(field.Value, b[found].Value) {
				return false
			}
		}
		return true
	}
	if a, is := listOf(one); is {
		b, are := listOf(other)
		if !are || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	if a, is := mapOf(one); is {
		b, are := mapOf(other)
		if !are || len(a) != len(b) {
			return false
		}
		for key, item := range a {
			if found, has := b[key]; !has || !same(item, found) {
				return false
			}
		}
		return true
	}
	return fmt.Sprintf("%T %v", one, one) == fmt.Sprintf("%T %v", other, other)
}

func listOf(value any) ([]any, bool) {
	switch v := value.(type) {
	case []any:
		return v, true
	case bson.A:
		return v, true
	}
	return nil, false
}

func mapOf(value any) (map[any]any, bool) {
	object := map[any]any{}
	switch v := value.(type) {
	case map[any]any:
		return v, true
	case bson.M:
		for key, item := range v {
			object[key] = item
		}
		return object, true
	case map[string]any:
		for key, item := range v {
			object[key] = item
		}
		return object, true
	}
	return nil, false
}

func write(output io.Writer, line any) {
	encoder := json.NewEncoder(output)
	if err := encoder.Encode(line); err != nil {
		panic(err)
	}
}

func makeCases(format string, seed int64, count int, output io.Writer) {
	version := "Go"
	if info, known := debug.ReadBuildInfo(); known {
		version = info.GoVersion
		for _, module := range info.Deps {
			if module.Path == modules[format] {
				version = module.Version
			}
		}
	}
	options := map[string]any{}
	if format == "json" {
		options["bigints"] = "bigint"
	}
	write(output, map[string]any{"witness": modules[format] + " " + version, "format": format, "seed": seed, "options": options})
	m := maker{rand.New(rand.NewSource(seed)), format}
	for made := 0; made < count; {
		var value any = m.value(0)
		if format == "bson" {
			value = m.object(0)
		}
		data, err := encode(format, value)
		if err != nil {
			panic(err)
		}
		if len(data) > longest {
			continue
		}
		made++
		write(output, map[string]any{"hex": hex.EncodeToString(data), "value": tagged(value)})
	}
}

func readBack(input *bufio.Reader, output io.Writer) {
	lines := json.NewDecoder(input)
	var header struct{ Format string }
	if err := lines.Decode(&header); err != nil {
		panic(err)
	}
	for index := 0; ; index++ {
		var item struct{ Original, Written string }
		if err := lines.Decode(&item); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		values := [2]any{}
		var failed error
		for i, digits := range []string{item.Original, item.Written} {
			data, err := hex.DecodeString(digits)
			if err == nil {
				values[i], err = decode(header.Format, data)
			}
			if err != nil {
				failed = err
			}
		}
		if failed != nil {
			write(output, []any{index, failed.Error()})
		} else if !same(values[0], values[1]) {
			write(output, []any{index, fmt.Sprintf("%#v", values[1])})
		}
	}
}

func main() {
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	if len(os.Args) == 5 && os.Args[1] == "make" {
		seed, _ := strconv.ParseInt(os.Args[3], 10, 64)
		count, _ := strconv.Atoi(os.Args[4])
		makeCases(os.Args[2], seed, count, output)
		return
	}
	readBack(bufio.NewReader(os.Stdin), output)
}
