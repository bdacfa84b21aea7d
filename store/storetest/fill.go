package storetest

import (
	"fmt"
	"reflect"
	"testing"
)

// fill sets every exported field below v that is zero to something that is not, each to something of its own, so that
// a field which a store forgets shows when the value comes back. Maps and lists get two elements.
func fill(t *testing.T, v any) {
	t.Helper()
	n := 0
	fillValue(t, reflect.ValueOf(v).Elem(), &n)
}

func fillValue(t *testing.T, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Field(i).IsZero() {
				fillValue(t, v.Field(i), n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(t, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fillValue(t, v.Index(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fillValue(t, v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fillValue(t, key, n)
			fillValue(t, value, n)
			v.SetMapIndex(key, value)
		}
	default:
		fillScalar(t, v, *n)
	}
}

func fillScalar(t *testing.T, v reflect.Value, n int) {
	t.Helper()
	switch {
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprintf("text %d é", n))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(int64(n % 100))
	case v.CanUint():
		v.SetUint(uint64(n % 100))
	case v.CanFloat():
		v.SetFloat(float64(n) + 1.0/3)
	default:
		t.Fatalf("fill cannot fill a %s", v.Type())
	}
}
